//! Where the mines lie.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::board::{Board, FirstClick, Pos, Rules};

use super::ImpossibleLayout;

/// The mines of a game, cell by cell.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    mines: Vec<bool>,
}

impl Layout {
    /// Lays the mines of `rules` at random, each allowed layout as likely as any other.
    ///
    /// `first` is the cell that is about to be opened. When its promise leaves too few cells for the
    /// mines, every other cell has a mine, and the rest goes around `first`; none under it, since one cell
    /// at least has no mine.
    pub fn random(board: &Board, rules: &Rules, first: Option<Pos>, rng: &mut ChaCha8Rng) -> Self {
        // The lower tier of a cell is filled before the next one gets its first mine.
        let tier = |pos: Pos| match (rules.first_click, first) {
            (FirstClick::Any, _) | (_, None) => 0,
            (_, Some(first)) if pos == first => 2,
            (FirstClick::Opens, Some(first)) if pos.touches(first) => 1,
            _ => 0,
        };
        let mut tiers: [Vec<usize>; 3] = Default::default();
        for (index, pos) in board.positions().enumerate() {
            tiers[tier(pos)].push(index);
        }
        let mut mines = vec![false; tiers.iter().map(Vec::len).sum()];
        let mut left = rules.mines as usize;
        for mut cells in tiers {
            let here = left.min(cells.len());
            for taken in 0..here {
                let other = rng.random_range(taken..cells.len());
                cells.swap(taken, other);
                mines[cells[taken]] = true;
            }
            left -= here;
        }
        Self { mines }
    }

    /// Exactly these mines; one that is named twice counts once.
    pub fn listed(
        board: &Board,
        list: impl IntoIterator<Item = Pos>,
    ) -> Result<Self, ImpossibleLayout> {
        let mut mines = vec![false; usize::from(board.cols()) * usize::from(board.rows())];
        for pos in list {
            if !board.contains(pos) {
                let (cols, rows) = (board.cols(), board.rows());
                return Err(ImpossibleLayout::OffBoard { pos, cols, rows });
            }
            mines[board.index(pos)] = true;
        }
        Ok(Self { mines })
    }

    /// Whether there is a mine at `index`, counted row by row.
    pub fn is_mine(&self, index: usize) -> bool {
        self.mines[index]
    }

    /// How many mines there are.
    pub fn count(&self) -> u32 {
        self.mines.iter().filter(|&&mine| mine).count() as u32
    }
}

/// The dice of a game. The same seed always gives the same mines for the same first click.
pub(super) fn dice(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}
