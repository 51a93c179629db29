//! A window of another program, which tells what reaches it: what a player must never press.
//!
//! Without a geometry it covers the whole screen, below all other windows, unknown to the window manager: whatever a
//! window beside the game would get, it gets. With one it is an ordinary window. Each event is one line, with the
//! place on the screen where the pointer was:
//!
//! ```text
//! ready 0x400001     the number of the window, once it is in sight, with the keyboard if it is to have it
//! press 1 640,400    a button, by its number
//! key 57 640,400     a key, by its code
//! ```
//!
//! It ends when the X server does, or when nobody reads the lines any more.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
mod window {
    use std::io::Write;

    use anyhow::Context;
    use clap::Parser;
    use x11rb::connection::Connection;
    use x11rb::properties::{WmHints, WmSizeHints, WmSizeHintsSpecification};
    use x11rb::protocol::Event;
    use x11rb::protocol::xproto::{
        AtomEnum, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, EventMask, InputFocus,
        NotifyDetail, PropMode, StackMode, WindowClass,
    };
    use x11rb::wrapper::ConnectionExt as _;

    /// Tells which buttons and keys were pressed on a window
    #[derive(Parser, Debug)]
    struct Args {
        /// The title of the window
        #[arg(long, default_value = "Bystander")]
        title: String,
        /// An ordinary window of this size at this place [default: the whole screen, below all windows]
        #[arg(long, value_name = "WIDTHxHEIGHT+X+Y", value_parser = geometry)]
        geometry: Option<Geometry>,
        /// Take the keyboard, and take it back whenever it is lost
        #[arg(long)]
        focus: bool,
    }

    #[derive(Clone, Copy, Debug)]
    struct Geometry {
        width: u16,
        height: u16,
        x: i16,
        y: i16,
    }

    fn geometry(text: &str) -> Result<Geometry, String> {
        let parsed = || {
            let (size, place) = text.split_once('+')?;
            let ((width, height), (x, y)) = (size.split_once('x')?, place.split_once('+')?);
            let (width, height) = (width.parse().ok()?, height.parse().ok()?);
            let (x, y) = (x.parse().ok()?, y.parse().ok()?);
            (width > 0 && height > 0).then_some(Geometry { width, height, x, y })
        };
        parsed().ok_or_else(|| "a geometry is written as 300x200+40+60".to_owned())
    }

    pub fn run() -> anyhow::Result<std::convert::Infallible> {
        let args = Args::parse();
        let (connection, number) = x11rb::connect(None).context("there is no X server")?;
        let screen = &connection.setup().roots[number];
        let (width, height) = (screen.width_in_pixels, screen.height_in_pixels);
        let place = args.geometry.unwrap_or(Geometry { width, height, x: 0, y: 0 });
        let window = connection.generate_id()?;
        let wanted = EventMask::BUTTON_PRESS
            | EventMask::KEY_PRESS
            | EventMask::EXPOSURE
            | EventMask::FOCUS_CHANGE;
        let looks = CreateWindowAux::new()
            .background_pixel(screen.black_pixel)
            .override_redirect(u32::from(args.geometry.is_none()))
            .event_mask(wanted);
        connection
            .create_window(
                x11rb::COPY_DEPTH_FROM_PARENT,
                window,
                screen.root,
                place.x,
                place.y,
                place.width,
                place.height,
                0,
                WindowClass::INPUT_OUTPUT,
                x11rb::COPY_FROM_PARENT,
                &looks,
            )?
            .check()?;
        introduce(&connection, window, &args.title, place)?;
        if args.geometry.is_none() {
            let below = ConfigureWindowAux::new().stack_mode(StackMode::BELOW);
            connection.configure_window(window, &below)?;
        }
        connection.map_window(window)?;
        connection.flush()?;

        let take_keyboard = || -> anyhow::Result<()> {
            if args.focus {
                let (back, now) = (InputFocus::POINTER_ROOT, x11rb::CURRENT_TIME);
                connection.set_input_focus(back, window, now)?;
                connection.flush()?;
            }
            Ok(())
        };
        let mut lines = std::io::stdout().lock();
        let (mut is_in_sight, mut is_ready) = (false, false);
        loop {
            let event = connection.wait_for_event().context("the X server ended")?;
            let has_keyboard =
                matches!(&event, Event::FocusIn(got) if got.detail != NotifyDetail::POINTER);
            match event {
                Event::Expose(_) if !is_in_sight => {
                    is_in_sight = true;
                    take_keyboard()?;
                }
                Event::ButtonPress(press) => {
                    writeln!(lines, "press {} {},{}", press.detail, press.root_x, press.root_y)?;
                }
                Event::KeyPress(key) => {
                    writeln!(lines, "key {} {},{}", key.detail, key.root_x, key.root_y)?;
                }
                Event::FocusOut(left) if left.detail != NotifyDetail::POINTER => take_keyboard()?,
                Event::Error(error) => anyhow::bail!("the X server says {error:?}"),
                _ => {}
            }
            // Who is to have the keyboard has it by then.
            if !is_ready && is_in_sight && (has_keyboard || !args.focus) {
                is_ready = true;
                writeln!(lines, "ready {window:#x}")?;
            }
            lines.flush()?;
        }
    }

    /// Tells the window manager, if it asks, what the window is.
    fn introduce(
        connection: &impl Connection,
        window: u32,
        title: &str,
        place: Geometry,
    ) -> anyhow::Result<()> {
        let atom = |name: &str| -> anyhow::Result<u32> {
            Ok(connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
        };
        let text = |property: u32, kind: u32, text: &[u8]| {
            connection.change_property8(PropMode::REPLACE, window, property, kind, text)
        };
        text(AtomEnum::WM_NAME.into(), AtomEnum::STRING.into(), title.as_bytes())?;
        text(atom("_NET_WM_NAME")?, atom("UTF8_STRING")?, title.as_bytes())?;
        text(AtomEnum::WM_CLASS.into(), AtomEnum::STRING.into(), b"bystander\0Bystander\0")?;
        let (pid, number) = (atom("_NET_WM_PID")?, AtomEnum::CARDINAL);
        let own = [std::process::id()];
        connection.change_property32(PropMode::REPLACE, window, pid, number, &own)?;
        WmHints { input: Some(true), ..WmHints::new() }.set(connection, window)?;
        let chosen = WmSizeHintsSpecification::UserSpecified;
        let size = WmSizeHints {
            position: Some((chosen, place.x.into(), place.y.into())),
            size: Some((chosen, place.width.into(), place.height.into())),
            ..WmSizeHints::new()
        };
        size.set_normal_hints(connection, window)?;
        Ok(())
    }
}

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let Err(error) = window::run();
    eprintln!("bystander: {error:#}");
    ExitCode::FAILURE
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("bystander: there are no X11 windows here");
    ExitCode::FAILURE
}
