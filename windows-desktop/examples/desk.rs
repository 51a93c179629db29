//! Does each thing that this crate can do once, on a desktop where nobody else works, and says how long it took.
//!
//!     desk TITLE [X Y]
//!
//! looks at the window whose title has `TITLE` in it, and clicks at (X, Y) of it. It moves the pointer over the whole
//! desktop and strikes F9.

#[cfg(windows)]
fn main() {
    desk::run();
}

#[cfg(not(windows))]
fn main() {
    eprintln!("desk: this is no Windows");
}

#[cfg(windows)]
mod desk {
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    use windows_desktop::{
        Button, Capture, Event, Hold, Rect, StopKey, Taking, VirtualKey, Window, activate,
        allow_colours, ask_for_pixels, foreground, held, is_elevated_above_us, key_that_types,
        monitors, owns_console, place, pointer, send, thread_cpu_time, window, window_at, windows,
    };

    /// How often each question is asked to know what one costs.
    const TIMES: u32 = 200;

    fn screen() -> Rect {
        windows_desktop::screen().expect("a monitor")
    }

    pub fn run() {
        let wanted = std::env::args().nth(1).unwrap_or_default();
        let number = |n| std::env::args().nth(n).and_then(|word| word.parse::<i32>().ok());
        println!("pixels: {:?}", ask_for_pixels());
        allow_colours();
        println!("the console is ours alone: {}", owns_console());
        println!("{:?}", monitors().expect("monitors"));
        println!("screen {:?}", screen());

        let open = windows().expect("windows");
        for window in &open {
            println!("{window:?}");
        }
        timed("all windows", || drop(windows()));
        let game =
            open.iter().find(|window| window.title.contains(&wanted)).expect("no such window");
        questions(game);
        picture(game);
        hold();
        stop_key();
        moves();
        if let (Some(x), Some(y)) = (number(2), number(3)) {
            click(game, x, y);
        }
        println!("held: {:?}", held());
        println!("processor time: {:?}", thread_cpu_time());
    }

    /// Prints what one of many calls costs.
    fn timed(what: &str, mut call: impl FnMut()) {
        let start = Instant::now();
        (0..TIMES).for_each(|_| call());
        println!("{what}: {:?}", start.elapsed() / TIMES);
    }

    fn questions(game: &Window) {
        println!("activated: {}", activate(game.handle));
        std::thread::sleep(Duration::from_millis(300));
        println!("foreground: {:?} of {}", foreground(), game.handle);
        println!("trusted more: {:?}", is_elevated_above_us(game.process));
        println!("no window is {:?}", place(1));
        assert_eq!(place(game.handle), Some(game.rect));
        assert_eq!(window(game.handle).as_ref(), Some(game));
        let rect = game.rect;
        let (x, y) = (rect.x + rect.width as i32 / 2, rect.y + rect.height as i32 / 2);
        println!("in its middle: {:?}", window_at(x, y));
        println!("n is typed by {:?}, 2 by {:?}", key_that_types('n'), key_that_types('2'));
        timed("place", || assert!(place(game.handle).is_some()));
        timed("window at a place", || assert!(window_at(x, y).is_some()));
        timed("foreground", || assert!(foreground().is_some()));
        timed("held", || drop(held()));
        timed("pointer", || drop(pointer()));
    }

    fn picture(game: &Window) {
        let mut capture = Capture::open().expect("screen");
        let mut pixels = Vec::new();
        let rect = game.rect;
        let mut copy = |width, height| {
            capture.copy(rect.x, rect.y, width, height, &mut pixels).expect("pixels");
            pixels.len()
        };
        assert_eq!(copy(16, 16), 4 * 16 * 16);
        timed("a picture of 16x16", || assert!(copy(16, 16) > 0));
        let whole = format!("a picture of {}x{}", rect.width, rect.height);
        timed(&whole, || assert!(copy(rect.width, rect.height) > 0));
        println!("its colours: {}", colours(&pixels));
    }

    fn colours(pixels: &[u8]) -> usize {
        pixels.chunks(4).map(|pixel| &pixel[..3]).collect::<std::collections::HashSet<_>>().len()
    }

    fn hold() {
        let take = |by| Hold::take("Minescraper desk", by).expect("a hold");
        let first = take("the first");
        assert!(matches!(first, Taking::Ours(_)));
        assert!(matches!(take("the second"), Taking::By(by) if by == "the first"));
        let holder = || Hold::holder("Minescraper desk").expect("an answer");
        assert_eq!(holder().as_deref(), Some("the first"));
        drop(first);
        assert_eq!(holder(), None);
        assert!(matches!(take("the third"), Taking::Ours(_)));
        println!("a hold is had once");
    }

    fn stop_key() {
        let key = VirtualKey::function(9).expect("F9");
        let (tell, told) = channel();
        let taken = StopKey::take(key, move || tell.send(Instant::now()).unwrap()).expect("F9");
        let again = StopKey::take(key, || ());
        println!("taken twice: {again:?}");
        let start = Instant::now();
        assert_eq!(send(&[Event::KeyDown(key), Event::KeyUp(key)], screen()), 2);
        match told.recv_timeout(Duration::from_secs(1)) {
            Ok(then) => println!("the key was heard after {:?}", then - start),
            Err(_) => println!("the key was not heard"),
        }
        let control = [VirtualKey::CONTROL, key];
        let down = control.map(Event::KeyDown);
        send(&down, screen());
        println!("held now: {:?}", held());
        send(&control.map(Event::KeyUp), screen());
        println!("heard with Control: {}", told.recv_timeout(Duration::from_secs(1)).is_ok());
        drop(taken);
        println!("F12: {:?}", StopKey::take(VirtualKey::function(12).expect("F12"), || ()));
        let (tell, watched) = channel();
        let watch = StopKey::watch(key, move || tell.send(()).unwrap());
        std::thread::sleep(Duration::from_millis(50));
        send(&[Event::KeyDown(key)], screen());
        println!("watched: {}", watched.recv_timeout(Duration::from_secs(1)).is_ok());
        send(&[Event::KeyUp(key)], screen());
        drop(watch);
        send(&[Event::KeyDown(key), Event::KeyUp(key)], screen());
        println!(
            "heard when given back: {}",
            told.recv_timeout(Duration::from_millis(300)).is_ok()
        );
    }

    fn moves() {
        let all = screen();
        let (mut late, mut missed) = (0, 0);
        let start = Instant::now();
        for step in 0..all.width.max(all.height) as i32 {
            let x = all.x + step.min(all.width as i32 - 1);
            let y = all.y + step.min(all.height as i32 - 1);
            assert_eq!(send(&[Event::Move { x, y }], screen()), 1);
            if pointer().ok() != Some((x, y)) {
                // Wine hears of the moves before from the X server, a little later.
                late += 1;
                std::thread::sleep(Duration::from_millis(20));
                missed += u32::from(pointer().ok() != Some((x, y)));
            }
        }
        let each = start.elapsed() / all.width.max(all.height);
        println!("moves that missed: {missed}, told late: {late}; one and asking: {each:?}");
    }

    fn click(game: &Window, x: i32, y: i32) {
        let (x, y) = (game.rect.x + x, game.rect.y + y);
        let mut capture = Capture::open().expect("screen");
        let mut look = || {
            let mut pixels = Vec::new();
            let rect = game.rect;
            capture.copy(rect.x, rect.y, rect.width, rect.height, &mut pixels).expect("pixels");
            pixels
        };
        let before = look();
        let start = Instant::now();
        let click =
            [Event::Move { x, y }, Event::Press(Button::Left), Event::Release(Button::Left)];
        assert_eq!(send(&click, screen()), 3);
        let sent = start.elapsed();
        while look() == before && start.elapsed() < Duration::from_secs(2) {}
        println!("a click: sent after {sent:?}, seen after {:?}", start.elapsed());
        assert!(look() != before, "nothing changed");
    }
}
