//! What has been learned so far: looks, meanings, ways of the game, and pictures to cut a skin from.

use image::RgbImage;

use super::clusters::{CellPatch, Cluster, Clusters};
use super::meanings::{Contradiction, Meanings, Seen, Sight};
use super::prior::Prior;
use super::{Flags, Grid, Outcome};
use crate::board::{Board, Cell, FirstClick, Pos, Status};
use crate::capture::Frame;
use crate::geometry::Rect;
use crate::learn::from_labels::{CalibrateError, Calibration, Example, cut};
use crate::recognize::detect::square::Samplers;
use crate::recognize::truncated::{Side, truncated_at};
use crate::recognize::{Lattice, Skin, Template};

/// The ground of covered cells that are one look differs less than this from cell to cell, in grey levels; where it
/// differs more, a background shines through.
const EVEN: f32 = 2.5;
/// Cells that are painted alike have means that differ no more than this, in grey levels.
const SAME_MEAN: f32 = 0.25;
/// Where a background shines through, no such share of the cells is painted alike.
const MANY_SAME: f32 = 0.2;
/// More than this share of a line must be like the line beside it to belong to the board.
const SAME: f32 = 0.8;
/// At least this share of the last line beyond a part that is open looks like cells that are known.
const SOME_KNOWN: f32 = 0.5;
/// Where so many lost games show no mine, another one is not expected to either.
const MOST_LOST: usize = 2;
/// Where a game brought no more new looks than this, the next one is not expected to either.
const FEW_LOOKS: usize = 2;
/// Numbers without which no game can be played.
const LEAST: [u8; 3] = [0, 1, 2];
/// Numbers that most games show.
const COMMON: [u8; 5] = [0, 1, 2, 3, 4];
/// Those without which few games can be won: small boards hardly show others, which are learned in play.
const COMMONEST: [u8; 4] = [0, 1, 2, 3];
/// After so many games none is waited for that is won, as few are on large boards, or shows what small ones hardly show. Chosen.
const ENOUGH_GAMES: usize = 3;
/// So many ways to read a board are thought of at once. Chosen.
const MOST_READINGS: usize = 24;
/// What a look is with no more than this chance is not thought of. Chosen.
const UNLIKELY: f64 = 0.01;
/// So many games must begin with a region before that counts as a promise: by chance, few do.
const FIRST_CLICKS: usize = 4;

/// A picture of a board and what was known of its cells.
#[derive(Clone, Debug)]
struct Shot {
    pixels: RgbImage,
    lattice: Lattice,
    seen: Seen,
    status: Status,
}

/// What the first click of a game did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum First {
    Region,
    Number,
    Mine,
}

/// What has been learned of a game.
#[derive(Clone, Debug)]
pub struct Notebook {
    /// The skin as far as it is known without templates.
    pub(crate) skin: Skin,
    pub(crate) clusters: Clusters,
    pub(crate) meanings: Meanings,
    pub(crate) firsts: Vec<First>,
    pub(crate) outcomes: Vec<Outcome>,
    /// The looks of cells that were known before.
    before: Vec<Template>,
    shots: Vec<Shot>,
    /// The window while flags were set, if that was seen.
    pub(crate) flags: Option<Flags>,
    /// The last picture of the game in progress.
    last: Option<Shot>,
    /// How many looks were known when the last two games were over.
    looks_known: [usize; 2],
    prior: Prior,
}

/// What a click or a game changes in a [`Notebook`], as it was before.
pub(crate) struct Bookmark {
    clusters: Clusters,
    meanings: Meanings,
    last: Option<Shot>,
    /// How much there was of what only grows.
    firsts: usize,
    outcomes: usize,
    shots: usize,
    looks_known: [usize; 2],
}

/// What came of learning.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The skin, and how well its kinds of cells separate.
    pub calibration: Calibration,
    /// How the games that it took ended.
    pub outcomes: Vec<Outcome>,
    /// For each look that has no proven meaning the numbers that are left; it has no template.
    pub unsure: Vec<Vec<u8>>,
}

impl Notebook {
    /// An empty notebook on the game in `frame`. `known` is what is known of its skin: the name, its windows. Templates
    /// that it has stay, if its cells are cut in the same way: they may be of another size.
    pub fn new(known: Skin, frame: &Frame, grid: &Grid) -> Self {
        let fill_variance = fill_variance(frame, grid);
        let is_cut_so = (known.gap, known.fill_variance > 0.0) == (grid.gap, fill_variance > 0.0);
        let before = if is_cut_so { known.templates } else { Vec::new() };
        Self::of(Skin { gap: grid.gap, fill_variance, templates: before, ..known })
    }

    /// What `skin` says, of games that were learned at another time.
    pub(crate) fn of(skin: Skin) -> Self {
        let before = skin.templates.clone();
        let skin = Skin { templates: Vec::new(), ..skin };
        Self {
            clusters: Clusters::new(skin.fill_weight()),
            skin,
            meanings: Meanings::default(),
            firsts: Vec::new(),
            outcomes: Vec::new(),
            before,
            shots: Vec::new(),
            flags: None,
            last: None,
            looks_known: [0; 2],
            prior: Prior::learned(),
        }
    }

    /// The lattice of a fresh board with every further line of cells that look like those beside them, and what is beyond
    /// a part that is open. Where a background shines through, the line at the edge may repeat less well than the others.
    pub(crate) fn whole(&self, frame: &Frame, mut lattice: Lattice) -> Lattice {
        let larger = |lattice: &Lattice| {
            let mut larger = Side::ALL.into_iter().map(|side| lattice.grown(side));
            larger.find(|larger| self.continues(frame, lattice, larger))
        };
        while let Some(larger) = larger(&lattice).or_else(|| self.beyond_open(frame, &lattice)) {
            if !larger.can_be_board() {
                break;
            }
            lattice = larger;
        }
        lattice
    }

    /// The lattice with all lines up to where the edges of cells end: games that start with a region open may have it from
    /// one side of the board to the other. The last line must look like cells that are known; `None` where it does not, or
    /// where the edges do not go on.
    fn beyond_open(&self, frame: &Frame, lattice: &Lattice) -> Option<Lattice> {
        let (left, top) = (-frame.origin.x, -frame.origin.y);
        let gap = self.skin.gap_width();
        let goes_on =
            |lattice: &Lattice| truncated_at(&frame.pixels, &lattice.moved(left, top), gap);
        let side = goes_on(lattice)?;
        let (mut larger, mut last) = (lattice.grown(side), lattice.clone());
        while goes_on(&larger) == Some(side) && frame.area().encloses(larger.area()) {
            (last, larger) = (larger.clone(), larger.grown(side));
        }
        let known = patches(&self.skin, frame, lattice)?;
        let patches = patches(&self.skin, frame, &larger)?;
        let outside = larger.positions().zip(&patches);
        let outside = outside.filter(|(pos, _)| last.pos_at(larger.centre(*pos)).is_none());
        let alike: Vec<bool> = outside
            .map(|(_, patch)| known.iter().any(|known| self.clusters.nearly_alike(known, patch)))
            .collect();
        let same = alike.iter().filter(|&&same| same).count();
        (same as f32 >= SOME_KNOWN * alike.len() as f32).then_some(larger)
    }

    /// Whether nearly all cells that `larger` has beyond `lattice` look like those beside them.
    fn continues(&self, frame: &Frame, lattice: &Lattice, larger: &Lattice) -> bool {
        let Some(patches) = patches(&self.skin, frame, larger) else { return false };
        let is_inside = |pos: Pos| lattice.pos_at(larger.centre(pos)).is_some();
        let board = Board::new(larger.cols(), larger.rows());
        let outside = board.positions().filter(|&pos| !is_inside(pos));
        let alike: Vec<bool> = outside
            .filter_map(|pos| {
                let straight = |near: &Pos| near.col == pos.col || near.row == pos.row;
                let beside =
                    board.neighbours(pos).filter(straight).find(|&near| is_inside(near))?;
                let (a, b) = (&patches[board.index(pos)], &patches[board.index(beside)]);
                Some(self.clusters.nearly_alike(a, b))
            })
            .collect();
        let same = alike.iter().filter(|&&same| same).count();
        same as f32 > SAME * alike.len() as f32
    }

    /// What `seen` shows, as far as it is known.
    pub(crate) fn board(&self, seen: &Seen) -> Board {
        self.meanings.board(seen)
    }

    /// Takes in a board of a game that goes on.
    ///
    /// # Errors
    /// When it cannot be by the rules.
    pub(crate) fn see(
        &mut self,
        frame: &Frame,
        lattice: &Lattice,
        seen: &Seen,
    ) -> Result<(), Contradiction> {
        let is_new_game = self.last.is_none();
        self.last = Some(shot(frame, lattice, seen, Status::Playing));
        self.meanings.learn(seen, is_new_game)
    }

    /// The look of an open cell; where it is a new one, it shows `number`, if that is known.
    pub(crate) fn look_of(&mut self, patch: &CellPatch, number: Option<u8>) -> Cluster {
        let is_new = self.clusters.known(patch).is_none();
        let look = self.clusters.of(patch);
        if let Some(number) = number.filter(|_| is_new) {
            self.meanings.decide(look, number);
        }
        look
    }

    /// Keeps the templates that `skin` has of numbers that are not known here.
    pub(crate) fn keep_templates(&mut self, skin: &Skin) {
        let known = self.numbers();
        let is_new = |template: &&Template| {
            template.cell.number().is_some_and(|number| !known.contains(&number))
        };
        self.before = skin.templates.iter().filter(is_new).cloned().collect();
    }

    /// What is known now, to [go back](Self::go_back) to.
    pub(crate) fn bookmark(&self) -> Bookmark {
        Bookmark {
            clusters: self.clusters.clone(),
            meanings: self.meanings.clone(),
            last: self.last.clone(),
            firsts: self.firsts.len(),
            outcomes: self.outcomes.len(),
            shots: self.shots.len(),
            looks_known: self.looks_known,
        }
    }

    /// Forgets what was taken in since.
    pub(crate) fn go_back(&mut self, to: Bookmark) {
        (self.clusters, self.meanings, self.last) = (to.clusters, to.meanings, to.last);
        self.firsts.truncate(to.firsts);
        self.outcomes.truncate(to.outcomes);
        self.shots.truncate(to.shots);
        self.looks_known = to.looks_known;
    }

    /// Keeps a picture of a board on which nothing, or only a mark, was set.
    pub(crate) fn keep(&mut self, frame: &Frame, lattice: &Lattice, seen: &Seen, status: Status) {
        self.shots.push(shot(frame, lattice, seen, status));
    }

    /// Takes in the board of a finished game.
    ///
    /// # Errors
    /// When it cannot be by the rules.
    pub(crate) fn end(
        &mut self,
        frame: &Frame,
        lattice: &Lattice,
        seen: &Seen,
        outcome: Outcome,
    ) -> Result<(), Contradiction> {
        let is_new_game = self.last.is_none();
        self.end_behind(outcome);
        let status = match outcome {
            Outcome::Won => Status::Won,
            Outcome::Lost => Status::Lost,
            Outcome::Unknown => return Ok(()),
        };
        self.keep(frame, lattice, seen, status);
        if seen.mines.is_some() {
            self.meanings.learn(seen, is_new_game)?;
        }
        Ok(())
    }

    /// A game has ended so, behind something that hides its board.
    pub(crate) fn end_behind(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
        self.looks_known = [self.looks_known[1], self.clusters.len()];
        self.shots.extend(self.last.take());
    }

    /// Whether a game has ended so.
    pub(crate) fn knows(&self, outcome: Outcome) -> bool {
        self.outcomes.contains(&outcome)
    }

    /// Whether it was seen what mines look like, or games are lost without showing any.
    pub(crate) fn knows_mines(&self) -> bool {
        // A game whose end is not shown shows none either.
        let lost = self.outcomes.iter().filter(|&&outcome| outcome != Outcome::Won).count();
        let shows_mine = |shot: &Shot| shot.seen.sights.contains(&Sight::Mine);
        let is_mine = |known: &Template| [Cell::Mine, Cell::Burst].contains(&known.cell);
        let was_known = self.before.iter().any(is_mine);
        let most = if self.skin.game.end_message.is_some() { 1 } else { MOST_LOST };
        lost >= most || was_known || self.shots.iter().any(shows_mine)
    }

    /// Whether it was seen what a lost game looks like, as far as it shows that.
    pub(crate) fn has_lost(&self) -> bool {
        self.knows_mines() || self.shots.iter().any(|shot| shot.seen.sights.contains(&Sight::Burst))
    }

    /// The numbers whose looks are known.
    pub(crate) fn numbers(&self) -> Vec<u8> {
        let known = (0..self.clusters.len()).filter_map(|look| self.meanings.number(Cluster(look)));
        let mut numbers: Vec<u8> = known.collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Whether games can be played, and it is known what their ends look like. What a background shines through must have
    /// been seen in more than one place.
    pub(crate) fn is_enough(&self) -> bool {
        let least = LEAST.iter().all(|number| self.numbers().contains(number));
        least && self.has_lost() && (self.skin.fill_variance == 0.0 || self.is_settled())
    }

    /// Whether the last game brought hardly any new looks.
    fn is_settled(&self) -> bool {
        let [before, now] = self.looks_known;
        now <= before + FEW_LOOKS
    }

    /// Whether more games would hardly tell more.
    pub(crate) fn is_full(&self) -> bool {
        let is_patient = self.outcomes.len() < ENOUGH_GAMES;
        let wanted = if is_patient { &COMMON[..] } else { &COMMONEST[..] };
        let common = wanted.iter().all(|number| self.numbers().contains(number));
        let has_won = self.knows(Outcome::Won) || !is_patient;
        let ends = has_won && self.knows_mines();
        // Where a background shines through, a cell looks otherwise in another place.
        let [_, now] = self.looks_known;
        common && ends && self.is_settled() && self.meanings.unsure(now).is_empty()
    }

    /// How many mines the game has, if some board was known in full.
    fn mines(&self) -> Option<u32> {
        let known = self.shots.iter().find_map(|shot| shot.seen.mines.as_ref());
        known.map(|mines| mines.iter().filter(|&&is_mine| is_mine).count() as u32)
    }

    /// The looks that have no proven meaning, each with a picture of a cell.
    pub(crate) fn unsure(&self) -> Vec<(Cluster, RgbImage)> {
        let unsure = self.meanings.unsure(self.clusters.len()).into_iter();
        unsure.filter_map(|look| Some((look, self.picture(look)?))).collect()
    }

    /// What `seen` may show: for the looks without a proven meaning numbers are supposed that they are likely to be, by what
    /// they look like. Each board has a chance; those of all that were left out are small. The first is the likeliest.
    pub(crate) fn likely_boards(&self, seen: &Seen) -> Vec<(Board, f64)> {
        let unsure = self.meanings.unsure(self.clusters.len()).into_iter();
        let unsure = unsure.filter(|&look| seen.shows(look));
        let mut readings: Vec<(Vec<(Cluster, u8)>, f64)> = vec![(Vec::new(), 1.0)];
        for (look, likely) in unsure.filter_map(|look| Some((look, self.likely(look)?))) {
            let further = readings.iter().flat_map(|(supposed, chance)| {
                likely.iter().map(move |&(number, likely)| {
                    ([&supposed[..], &[(look, number)]].concat(), chance * likely)
                })
            });
            readings = further.collect();
            readings.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            readings.truncate(MOST_READINGS);
        }
        let board =
            |(supposed, chance): (Vec<_>, f64)| (self.meanings.supposed(seen, &supposed), chance);
        readings.into_iter().map(board).collect()
    }

    /// The numbers that a look may be by the rules and is likely to be by its picture, each with its chance.
    fn likely(&self, look: Cluster) -> Option<Vec<(u8, f64)>> {
        let chances = self.prior.numbers(&self.picture(look)?);
        let possible = self.meanings.possible(look);
        let whole: f64 = possible.iter().map(|&number| chances[usize::from(number)]).sum();
        let likely =
            possible.into_iter().map(|number| (number, chances[usize::from(number)] / whole));
        Some(likely.filter(|&(_, chance)| chance > UNLIKELY).collect())
    }

    fn picture(&self, look: Cluster) -> Option<RgbImage> {
        self.shots.iter().chain(&self.last).find_map(|Shot { pixels, lattice, seen, .. }| {
            let pos = seen.positions().find(|&pos| seen.at(pos) == Sight::Open(look))?;
            let Rect { x, y, width, height } = lattice.cell(pos);
            let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
            Some(image::imageops::crop_imm(pixels, x, y, width, height).to_image())
        })
    }

    /// The skin that follows from all this.
    ///
    /// # Errors
    /// When a kind of cell is missing that every game shows, or two kinds cannot be told apart.
    pub fn learned(&self) -> Result<Learned, CalibrateError> {
        let mut known = Skin { templates: self.before.clone(), ..self.skin.clone() };
        known.game.first_click = match &self.firsts[..] {
            firsts if firsts.contains(&First::Mine) => Some(FirstClick::Any),
            firsts
                if firsts.len() >= FIRST_CLICKS && firsts.iter().all(|&f| f == First::Region) =>
            {
                Some(FirstClick::Opens)
            }
            // What was known before holds unless it was seen not to; then nothing is promised.
            firsts
                if firsts.contains(&First::Number)
                    && known.game.first_click == Some(FirstClick::Opens) =>
            {
                Some(FirstClick::Any)
            }
            _ => known.game.first_click,
        };
        known.game.shuts_in_blanks |= self.meanings.shuts_in_blanks();
        if known.counter.is_none()
            && let Some((flags, mines)) = self.flags.as_ref().zip(self.mines())
            && let Some((counter, digits)) = flags.counter(&known, mines)
        {
            (known.counter, known.digits) = (Some(counter), digits);
        }
        let shots = self.shots.iter().chain(&self.last);
        let examples: Vec<(Example, Lattice)> = shots
            .enumerate()
            .map(|(number, shot)| {
                let name = format!("picture {number}");
                let board = self.board(&shot.seen);
                (Example::seen(name, shot.pixels.clone(), board, shot.status), shot.lattice.clone())
            })
            .collect();
        let calibration = cut(&known, examples)?;
        let unsure = self.meanings.unsure(self.clusters.len());
        let unsure = unsure.into_iter().map(|look| self.meanings.possible(look)).collect();
        Ok(Learned { calibration, outcomes: self.outcomes.clone(), unsure })
    }
}

/// The patches of all cells, cut as in `skin`, row by row; `None` when some are out of the picture or too small.
pub(crate) fn patches(skin: &Skin, frame: &Frame, lattice: &Lattice) -> Option<Vec<CellPatch>> {
    let gap = skin.gap_width();
    let mut samplers = Samplers::new(&frame.pixels, gap);
    let places = lattice.cells().map(|cell| cell.moved(-frame.origin.x, -frame.origin.y));
    places.map(|place| CellPatch::take(&mut samplers, place, gap)).collect()
}

/// The picture of `frame`, and where the cells are in it.
fn shot(frame: &Frame, lattice: &Lattice, seen: &Seen, status: Status) -> Shot {
    Shot {
        pixels: frame.pixels.clone(),
        lattice: lattice.moved(-frame.origin.x, -frame.origin.y),
        seen: seen.clone(),
        status,
    }
}

/// How much the mean colour of covered cells differs from place to place, as a variance in grey levels squared; 0 where nothing
/// shines through. On a chequered board there are two grounds.
fn fill_variance(frame: &Frame, grid: &Grid) -> f32 {
    let mut means: [Vec<[f32; 3]>; 2] = Default::default();
    for pos in grid.lattice.positions() {
        let Some(part) = frame.crop(grid.lattice.cell(pos)) else { continue };
        let mut sums = [0f32; 3];
        for pixel in part.pixels.pixels() {
            for (sum, &value) in sums.iter_mut().zip(&pixel.0) {
                *sum += f32::from(value);
            }
        }
        let Rect { width, height, .. } = part.area();
        let ground = usize::from((pos.col + pos.row) % 2);
        means[ground].push(sums.map(|sum| sum / (width * height) as f32));
    }
    means.iter_mut().map(|means| variance(means)).fold(0.0, f32::max)
}

/// The variance of the means of cells, most of which are of one kind; 0 where they do not differ.
fn variance(means: &mut [[f32; 3]]) -> f32 {
    // Half of the cells at least are covered; the middle half by brightness are those that count.
    means.sort_by(|a, b| a.iter().sum::<f32>().total_cmp(&b.iter().sum()));
    let middle = &means[means.len() / 4..(means.len() * 3 / 4).max(means.len() / 4 + 1)];
    let variances = [0, 1, 2].map(|channel| {
        let mean = middle.iter().map(|m| m[channel]).sum::<f32>() / middle.len() as f32;
        let squares = middle.iter().map(|m| (m[channel] - mean).powi(2)).sum::<f32>();
        squares / middle.len() as f32
    });
    let differ = variances.iter().any(|variance| variance.sqrt() > EVEN);
    if differ && !many_same(means) { variances.iter().sum::<f32>() / 3.0 } else { 0.0 }
}

/// Whether so many cells have one and the same mean that nothing shines through: on a board of which much is open, the
/// kinds of cells differ.
fn many_same(means: &[[f32; 3]]) -> bool {
    let same = |a: &[f32; 3], b: &[f32; 3]| (0..3).all(|n| (a[n] - b[n]).abs() <= SAME_MEAN);
    let most = means.iter().map(|a| means.iter().filter(|b| same(a, b)).count()).max();
    most.unwrap_or(0) as f32 >= MANY_SAME * means.len() as f32
}

impl Learned {
    /// The names of the kinds of cells that were never seen or never proven.
    pub fn missing(&self) -> Vec<&'static str> {
        self.calibration.skin.missing()
    }

    /// Whether games can be played with the skin: the commonest cells are known.
    pub fn is_playable(&self) -> bool {
        let known = |cell| self.calibration.skin.templates.iter().any(|t| t.cell == cell);
        [Cell::Covered, Cell::open(0), Cell::open(1), Cell::open(2)].into_iter().all(known)
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::capture::load_picture;
    use crate::geometry::Px;
    use crate::learn::from_play::grids;

    /// Raised cells on plain ground; those of the last row are `darker` by so much.
    fn fresh_board(lattice: &Lattice, darker: u8) -> Frame {
        let last = lattice.rows() - 1;
        let pixels = RgbImage::from_fn(240, 200, |x, y| {
            let at = Px::new(x as i32, y as i32);
            let Some(pos) = lattice.pos_at(at) else { return Rgb([90, 110, 140]) };
            let cell = lattice.cell(pos);
            let (left, top) = (at.x - cell.x, at.y - cell.y);
            let (right, bottom) = (cell.right() - 1 - at.x, cell.bottom() - 1 - at.y);
            let grey = match (left.min(top), right.min(bottom)) {
                (0 | 1, _) => 250,
                (_, 0 | 1) => 130,
                _ => 190,
            };
            Rgb([grey - if pos.row == last { darker } else { 0 }; 3])
        });
        Frame::new(Px::new(0, 0), pixels)
    }

    #[test]
    fn cells_beyond_an_open_part_belong_to_the_board() {
        let truth = Lattice::even(Px::new(24, 20), (16.0, 16.0), 12, 9);
        let mut frame = fresh_board(&truth, 0);
        for pos in truth.positions().filter(|pos| (2..5).contains(&pos.col) && pos.row > 2) {
            let cell = truth.cell(pos);
            for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (x, y))) {
                let grey = if x == 0 || y == 0 { 130 } else { 190 };
                let at = (cell.x as u32 + x, cell.y as u32 + y);
                frame.pixels.put_pixel(at.0, at.1, Rgb([grey; 3]));
            }
        }
        let known = truth.part(5..12, 0..9);
        let notes = Notebook::new(
            Skin::default(),
            &frame,
            &Grid { lattice: known.clone(), gap: None, is_whole: false },
        );
        assert_eq!(notes.whole(&frame, known.clone()), truth);
        // What goes on there must look like cells.
        let hidden = truth.cell(Pos::new(0, 0)).x as u32..truth.cell(Pos::new(2, 0)).x as u32;
        for (x, y) in hidden.flat_map(|x| (20..164).map(move |y| (x, y))) {
            let grey = if (y - 20) % 16 == 0 { 130 } else { 60 };
            frame.pixels.put_pixel(x, y, Rgb([grey; 3]));
        }
        assert_eq!(notes.whole(&frame, known.clone()), known);
    }

    #[test]
    fn no_board_of_an_opaque_skin_is_taken_for_translucent_when_a_game_starts() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let (mut tried, mut wrong) = (0, Vec::new());
        for skin in Skin::shipped().into_iter().filter(|skin| skin.fill_variance == 0.0) {
            for folder in ["calibration", "fixtures"] {
                let Ok(files) = root.join(folder).join(&skin.name).read_dir() else { continue };
                for file in files.map(|file| file.unwrap().path()) {
                    let Ok(label) = std::fs::read_to_string(file.with_extension("txt")) else {
                        continue;
                    };
                    // What is open at the start is not told from what was opened later.
                    let starts = label.contains("status=fresh")
                        || (skin.game.starts_open && label.contains("status=playing"));
                    if !starts || file.extension().is_none_or(|end| end != "png") {
                        continue;
                    }
                    let frame = load_picture(&file).unwrap();
                    let Some(grid) = grids(&frame).into_iter().next() else { continue };
                    tried += 1;
                    if Notebook::new(Skin::default(), &frame, &grid).skin.fill_variance > 0.0 {
                        wrong.push(file);
                    }
                }
            }
        }
        assert!(tried > 0 && wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn a_line_at_the_edge_that_repeats_less_well_is_added() {
        let at = Px::new(24, 20);
        let truth = Lattice::even(at, (16.0, 16.0), 10, 9);
        let known = Lattice::even(at, (16.0, 16.0), 10, 8);
        for (darker, whole) in [(0, &truth), (10, &truth), (60, &known)] {
            let frame = fresh_board(&truth, darker);
            let grid = Grid { lattice: known.clone(), gap: None, is_whole: false };
            let notes = Notebook::new(Skin::default(), &frame, &grid);
            assert_eq!(&notes.whole(&frame, known.clone()), whole, "darker by {darker}");
        }
    }
}
