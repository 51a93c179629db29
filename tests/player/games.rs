//! Games that are played to their end, in every style and at every pace.

use std::sync::Arc;
use std::time::{Duration, Instant};

use image::Rgb;

use minescraper::board::{Board, Cell, Status};
use minescraper::capture::{CaptureError, Frame, Screen, Standing};
use minescraper::geometry::{Px, Rect};
use minescraper::lab::virtual_desktop::{Unkindness, VirtualDesktop, VirtualScreen};
use minescraper::play::{Options, Outcome, Player, Step, Style, Watcher};
use minescraper::recognize::skin::{Chord, Control, Dialog, GameBehaviour, Spot};
use minescraper::recognize::{Reader, Reading};
use minescraper::solver::{Advice, by_name};

use crate::scene::{Played, Scene, winnable};
use crate::skin;

#[test]
fn every_style_wins() {
    let scene = winnable("intermediate");
    for style in Style::ALL {
        for chord in [None, Some(Chord::Left), Some(Chord::Middle), Some(Chord::Both)] {
            let scene = Scene {
                ways: GameBehaviour { chord, ..scene.ways.clone() },
                options: scene.options.clone(),
                stop: Arc::default(),
                unkindness: Unkindness::default(),
                ..scene
            };
            scene.style(style).play().cleanly().won();
        }
    }
}

#[test]
fn flags_go_on_mines_and_chords_save_clicks() {
    let scene = winnable("expert");
    let clicks = |scene: Scene| scene.play().cleanly().won().session.summary.clicks;
    let plain = clicks(winnable("expert"));
    let flags = clicks(winnable("expert").style(Style::Flags));
    let chords = clicks(scene.style(Style::Chords));
    let efficient = clicks(winnable("expert").style(Style::Efficient));
    assert!(plain < flags, "{plain} {flags}");
    assert!(chords < flags, "{chords} {flags}");
    assert!(efficient < plain && efficient < chords, "{efficient} {plain} {chords}");
}

#[test]
fn a_game_that_is_won_only_with_flags_is_won_in_every_style() {
    for style in Style::ALL {
        let scene = winnable("beginner").style(style);
        let played = scene
            .ways(|ways| {
                ways.won_only_with_flags = true;
                ways.question_marks = true;
            })
            .play()
            .cleanly()
            .won();
        let board = played.desktop.game().view().clone();
        assert_eq!(board.count(|cell| cell == Cell::Flagged), 10);
    }
}

#[test]
fn no_click_goes_astray_in_hundreds_of_games() {
    for style in Style::ALL {
        let games = 100;
        let played = Scene::new("beginner").style(style).games(games).play();
        let summary = &played.session.summary;
        assert!(played.session.trouble.is_none(), "{:?}", played.session.trouble);
        assert_eq!(summary.games, games);
        assert_eq!(summary.wins + summary.losses, games);
        assert!(summary.wins > games / 2, "{summary:?}");
        assert_eq!(summary.clicks_lost, 0);
        played.cleanly();
    }
}

#[test]
fn cells_of_any_size_and_uneven_pitch_are_hit() {
    for pitch in [(16.0, 16.0), (21.0, 21.0), (26.6, 26.4), (33.3, 33.3)] {
        let mut scene = Scene::new("beginner");
        scene.setup.width = 900;
        scene.setup.height = 700;
        scene.setup.board = Px::new(211, 173);
        scene.setup.pitch = pitch;
        let played = scene.games(5).play().cleanly();
        assert_eq!(played.session.summary.games, 5);
    }
}

#[test]
fn lost_clicks_are_sent_again_but_never_on_an_open_cell() {
    for every in [2, 3, 7] {
        for style in Style::ALL {
            let played = winnable("intermediate")
                .style(style)
                .unkind(|unkind| unkind.loses_every = Some(every))
                .play()
                .cleanly()
                .won();
            let log = played.log();
            assert!(log.lost > 0);
            // A lost click on a cell that another click opened is never missed; a chord whose flag was
            // lost did arrive, and is sent again all the same.
            let exact = !style.chords();
            assert!(!exact || played.session.summary.clicks_lost <= log.lost);
            assert!(played.session.summary.clicks_lost > 0);
        }
    }
}

#[test]
fn the_pace_slows_down_under_a_window_manager_that_swallows_fast_clicks() {
    let log = Scene::new("expert")
        .games(10)
        .unkind(|unkind| unkind.swallows_within = Duration::from_millis(2))
        .play()
        .cleanly()
        .log();
    // Sent at full speed throughout, all but the first click of each batch would be lost.
    let (lost, clicks) = (log.lost, log.clicks);
    assert!(lost > 0 && lost * 25 < clicks, "{lost} of {clicks}");
}

#[test]
fn late_painting_is_waited_for() {
    for late in [5, 40, 150, 300] {
        for style in Style::ALL {
            let played = winnable("intermediate")
                .style(style)
                .unkind(|unkind| unkind.paints_late = Duration::from_millis(late))
                .play()
                .cleanly()
                .won();
            assert_eq!(played.session.summary.clicks_lost, 0, "{late} ms");
        }
    }
}

#[test]
fn a_dialog_that_the_skin_names_is_got_past() {
    let played = Scene::new("beginner")
        .ways(|ways| {
            ways.dialogs =
                vec![Dialog { title: "Fastest Time".to_owned(), key: "Escape".parse().unwrap() }];
        })
        .unkind(|unkind| {
            unkind.dialog_at_end = true;
            unkind.paints_late = Duration::from_millis(10);
        })
        .games(10)
        .play()
        .cleanly();
    assert_eq!(played.session.summary.games, 10);
    assert_eq!(played.log().new_games, 9);
}

#[test]
fn a_dialog_over_a_game_that_was_won_is_got_past_where_no_windows_are_named() {
    let played = winnable("beginner")
        .ways(|ways| {
            ways.dialogs =
                vec![Dialog { title: "Fastest Time".to_owned(), key: "Escape".parse().unwrap() }];
        })
        .unkind(|unkind| {
            unkind.names_no_windows = true;
            unkind.dialog_at_end = true;
        })
        .games(2)
        .play();
    let log = played.log();
    assert!(played.session.trouble.is_none(), "{:?}", played.session.trouble);
    assert_eq!(played.session.summary.games, 2);
    assert_eq!(log.stray, []);
    assert_eq!((log.new_games, log.idle_keys), (1, 0));
}

#[test]
fn a_win_is_seen_behind_a_message_where_the_game_flags_its_mines() {
    winnable("beginner").unkind(|unkind| unkind.message_at_end = true).play().cleanly().won();
}

/// As if one had gone off; but the player has hit none, and all else is open.
#[test]
fn a_game_that_shows_its_mines_when_it_is_won_is_won() {
    for style in Style::ALL {
        let scene = Scene::new("beginner").style(style).games(20);
        let played = scene.unkind(|unkind| unkind.mines_when_won = true).play();
        let summary = &played.session.summary;
        assert!(played.session.trouble.is_none(), "{style}: {:?}", played.session.trouble);
        assert!(summary.games == 20 && summary.wins > 10, "{style}: {summary:?}");
        played.cleanly();
    }
}

/// As where a page says above its board how the game has ended: the board moves, and with it what starts the next game.
#[test]
fn a_board_that_moves_when_a_game_is_over_is_followed() {
    for up in [17, 24] {
        let scene = Scene::new("beginner").games(10).ways(|ways| {
            let (across, along) = (0.5, 0.0);
            ways.new_game = Some(Control::Click(Spot { across, right: 0.0, along, down: -1.0 }));
        });
        let played = scene.unkind(|unkind| unkind.moves_when_over = (0, -up)).play();
        let summary = &played.session.summary;
        assert!(played.session.trouble.is_none(), "{up}: {:?}", played.session.trouble);
        assert!(summary.games == 10 && summary.wins > 5, "{up}: {summary:?}");
        assert_eq!(played.log().stray, [], "{up}");
    }
}

#[test]
fn a_new_game_is_started_by_a_click_beside_the_board() {
    let face = Spot { across: 0.5, right: 0.0, along: 0.0, down: -1.5 };
    let played = Scene::new("beginner")
        .ways(|ways| ways.new_game = Some(Control::Click(face)))
        .games(5)
        .play()
        .cleanly();
    assert_eq!(played.log().new_games, 4);
}

#[test]
fn a_game_that_starts_open_is_played_on_from_there() {
    let played =
        Scene::new("beginner").ways(|ways| ways.starts_open = true).games(10).play().cleanly();
    assert_eq!(played.session.summary.games, 10);
}

#[test]
fn until_win_stops_at_the_first_win() {
    let mut scene = Scene::new("expert").games(200);
    scene.options.until_win = true;
    let summary = scene.play().cleanly().session.summary;
    assert_eq!(summary.wins, 1);
    assert_eq!(summary.outcomes.last(), Some(&Outcome::Won));
}

#[test]
fn flags_of_somebody_else_are_taken_off_where_they_are_wrong() {
    for chord in [Chord::Left, Chord::Middle] {
        let scene = winnable("beginner").ways(|ways| {
            ways.chord = Some(chord);
            ways.question_marks = true;
        });
        let skin = skin::skin(scene.ways.clone());
        let reader = Reader::new(vec![skin.clone()]);
        let desktop = VirtualDesktop::new(skin, scene.setup);
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        let lattice = desktop.lattice();
        use minescraper::input::{Button, Hands};
        for pos in Board::new(9, 9).positions().step_by(3) {
            hands.click(Button::Right, lattice.centre(pos)).unwrap();
        }
        let mut strategy = by_name("contradiction").unwrap();
        let session = Player {
            screen: &mut screen,
            hands: &mut hands,
            reader: &reader,
            strategy: strategy.as_mut(),
            watcher: &mut (),
            stop: Arc::default(),
        }
        .play(&scene.options);
        let played = Played { session, desktop }.cleanly();
        assert!(played.session.summary.games == 1);
    }
}

#[test]
fn a_dry_run_says_what_it_would_click_and_clicks_nothing() {
    #[derive(Default)]
    struct Said(Vec<Step>, usize);
    impl Watcher for Said {
        fn advised(&mut self, _: &Board, _: &Advice, _: u64) {
            self.1 += 1;
        }
        fn clicking(&mut self, steps: &[Step], _: bool) {
            self.0.extend_from_slice(steps);
        }
    }
    let mut said = Said::default();
    let mut scene = Scene::new("beginner");
    scene.options.dry_run = true;
    let played = scene.play_watched(&mut said).cleanly();
    assert_eq!((said.0.len(), said.1), (1, 1));
    assert_eq!(played.log().clicks, 0);
    assert_eq!(played.session.summary.games, 0);
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let play = || {
        let played = Scene::new("intermediate").seed(7).games(3).play().cleanly();
        (played.session.summary.outcomes.clone(), played.log())
    };
    assert_eq!(play(), play());
}

#[test]
fn a_session_is_recorded_so_that_it_can_be_read_again() {
    use minescraper::board::text;
    use minescraper::capture::load_picture;
    use minescraper::lab::record::{DECISIONS, Recorder};

    let folder = tempfile::tempdir().unwrap();
    let scene = Scene::new("beginner").games(2);
    let mut recorder = Recorder::create(folder.path(), "contradiction", &scene.options).unwrap();
    scene.play_watched(&mut recorder).cleanly();
    recorder.finish().unwrap();

    let reader = Reader::new(vec![skin::skin(scene.ways.clone())]);
    let mut frames = 0;
    while let Ok(frame) = load_picture(&folder.path().join(format!("{frames:04}.png"))) {
        let label = folder.path().join(format!("{frames:04}.txt"));
        let label = std::fs::read_to_string(label).unwrap();
        let (board, notes) = text::parse(&label).unwrap();
        let reading = reader.find(&frame).unwrap().remove(0);
        assert_eq!(
            text::rows(&reading.board).collect::<Vec<_>>(),
            text::rows(&board).collect::<Vec<_>>()
        );
        assert_eq!(notes["status"], reading.status.name());
        frames += 1;
    }
    assert!(frames > 4);
    let decisions = std::fs::read_to_string(folder.path().join(DECISIONS)).unwrap();
    let lines: Vec<serde_json::Value> =
        decisions.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines[0].get("session").is_some());
    assert_eq!(lines.iter().filter(|line| line.get("over").is_some()).count(), 2);
    assert!(Recorder::create(folder.path(), "single", &scene.options).is_err());
}

/// Notes how often clicks went out while others of the same batch did not show yet.
#[derive(Default)]
struct Bursts {
    in_batch: u32,
    ahead: u32,
}

impl Watcher for Bursts {
    fn advised(&mut self, _: &Board, _: &Advice, _: u64) {
        self.in_batch = 0;
    }

    fn clicking(&mut self, _: &[Step], again: bool) {
        self.in_batch += u32::from(!again);
        self.ahead += u32::from(!again && self.in_batch > 1);
    }
}

#[test]
fn what_is_painted_first_is_played_on_while_the_rest_is_painted() {
    let ahead = |scene: Scene| {
        let mut bursts = Bursts::default();
        let played = scene.play_watched(&mut bursts).cleanly().won();
        assert_eq!(played.session.summary.clicks_lost, 0);
        bursts.ahead
    };
    let slow = |scene: Scene| {
        let late = scene.unkind(|unkind| unkind.paints_late = Duration::from_millis(60));
        let options = Options { pace: Duration::from_millis(10), ..late.options.clone() };
        Scene { options, ..late }
    };
    let none = ahead(winnable("expert"));
    assert_eq!(none, 0, "everything is painted at once");
    for style in Style::ALL {
        let some = ahead(slow(winnable("expert").style(style)));
        assert!(some > 10, "{style}: {some}");
    }
}

#[test]
fn a_program_that_deals_by_the_second_is_not_lost_to_again_and_again() {
    #[derive(Default)]
    struct Ends(Vec<Board>);
    impl Watcher for Ends {
        fn looked(&mut self, _: &Frame, reading: &Reading) {
            if reading.status.is_over() {
                self.0.push(reading.board.clone());
            }
        }
    }
    let mut ends = Ends::default();
    let scene = Scene::new("expert").games(12).unkind(|unkind| unkind.deals_by_the_second = true);
    scene.play_watched(&mut ends);
    let repeated = ends.0.windows(3).filter(|three| three[0] == three[1] && three[1] == three[2]);
    assert_eq!((ends.0.len(), repeated.count()), (12, 0));
    assert!(ends.0.windows(2).any(|two| two[0] == two[1]), "each was another game anyway");
}

/// A screen that shows the ground of the window in place of the last column while a game is over.
struct Veiled<'d> {
    desktop: &'d VirtualDesktop,
    screen: VirtualScreen,
    ground: Rgb<u8>,
}

/// The frame around a board is no wider, in pixels.
const AROUND: i32 = 10;

impl Veiled<'_> {
    fn veil(&self, frame: &mut Frame) {
        if !self.desktop.game().status().is_over() {
            return;
        }
        let (board, origin) = (self.desktop.lattice().area(), frame.origin);
        let last = board.right() - skin::SIDE as i32..board.right() + AROUND;
        for (x, y, pixel) in frame.pixels.enumerate_pixels_mut() {
            let (x, y) = (x as i32 + origin.x, y as i32 + origin.y);
            if last.contains(&x) && (board.y - AROUND..board.bottom() + AROUND).contains(&y) {
                *pixel = self.ground;
            }
        }
    }
}

impl Screen for Veiled<'_> {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        self.screen.area()
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let mut frame = self.screen.look(area)?;
        self.veil(&mut frame);
        Ok(frame)
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let changed = self.screen.wait(frame, deadline)?;
        self.veil(frame);
        Ok(changed)
    }

    fn standing(&mut self) -> Result<Standing, CaptureError> {
        self.screen.standing()
    }
}

#[test]
fn a_board_of_which_the_end_of_a_game_shows_a_part_is_found_whole() {
    let is_end_without_last = |played: &Played| {
        let game = played.desktop.game();
        let mut last = game.view().iter().filter(|(pos, _)| pos.col == 8);
        game.status() == Status::Lost && !last.any(|(_, cell)| cell.is_end())
    };
    let lost = (0..500).map(|seed| Scene::new("beginner").seed(seed).play());
    let Played { desktop, .. } = lost.into_iter().find(is_end_without_last).unwrap();
    let reader = Reader::new(vec![skin::skin(Scene::new("beginner").ways)]);
    let (mut plain, board) = (desktop.screen(), desktop.lattice().area());
    let beside = Rect::new(board.right() + AROUND, board.y, 1, 1);
    let ground = plain.look(beside).unwrap().pixels[(0, 0)];
    let mut screen = Veiled { desktop: &desktop, screen: plain, ground };
    let area = screen.area().unwrap();
    let end = screen.look(area).unwrap();
    let part = &reader.find(&end).unwrap()[0];
    assert_eq!((part.board.cols(), part.board.rows(), part.status), (8, 9, Status::Lost));
    // Where it is known where the board is, nothing is looked for.
    let whole = reader.read_at(&end, &desktop.lattice()).unwrap();
    assert_eq!((whole.board.cols(), whole.board.rows(), whole.status), (9, 9, Status::Lost));
    assert!(reader.read_at(&end, &desktop.lattice().moved(100, 0)).is_none());

    let session = Player {
        screen: &mut screen,
        hands: &mut desktop.hands(),
        reader: &reader,
        strategy: by_name("contradiction").unwrap().as_mut(),
        watcher: &mut (),
        stop: Arc::default(),
    }
    .play(&Scene::new("beginner").options);
    let desktop = desktop.clone();
    let played = Played { session, desktop }.cleanly();
    assert_eq!(played.session.summary.games, 1);
    assert!(played.desktop.game().status().is_over());
}

/// Where nothing tells how many mines there are, and a game that is won looks as before, a cell that does not answer tells that
/// it is over.
#[test]
fn a_game_that_is_won_without_showing_it_is_won_when_what_is_left_does_not_answer() {
    for seed in 0..60 {
        let mut scene = Scene::new("9x6x11").seed(seed).ways(|ways| ways.flags_when_won = false);
        scene.options.mines = None;
        let played = scene.play();
        let view = played.desktop.game().view().clone();
        assert!(played.session.trouble.is_none(), "{seed}: {:?}\n{view}", played.session.trouble);
        let truly = match played.desktop.game().status() {
            Status::Won => Outcome::Won,
            _ => Outcome::Lost,
        };
        assert_eq!(played.session.summary.outcomes, [truly], "{seed}\n{view}");
    }
}
