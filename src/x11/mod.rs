//! What an X server says of its windows: where one is, who is at a place of the screen, who has the keyboard.
//!
//! Both the [hands](crate::input) and the [screen](crate::capture) ask this, each over its own connection.

mod keys;

use std::error::Error;

use x11rb::cookie::Cookie;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, GetGeometryReply, GetWindowAttributesReply, MapState,
    TranslateCoordinatesReply, Window,
};
use x11rb::rust_connection::RustConnection;

pub(crate) use keys::{Keyboard, symbol};

use crate::geometry::{Px, Rect};
use crate::input::{Owner, Place};

/// What the server, or the connection to it, says against it.
pub(crate) type Refused = Box<dyn Error + Send + Sync>;

/// What [`GetInputFocus`](x11rb::protocol::xproto::GetInputFocusReply) says when keys go nowhere, and when they go where
/// the pointer is.
const NOWHERE: Window = 0;
const UNDER_POINTER: Window = 1;

/// How deep in the frame that a window manager puts around it the window of a program is looked for.
const FRAME_DEPTH: usize = 3;

x11rb::atom_manager! {
    /// The names of properties that windows and desktops describe themselves with: the Inter-Client Communication
    /// Conventions Manual, and the Extended Window Manager Hints.
    pub(crate) Atoms: AtomsCookie {
        WM_STATE,
        UTF8_STRING,
        _NET_ACTIVE_WINDOW,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_NAME,
        _NET_WM_PID,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_DIALOG,
    }
}

/// The windows of an X server.
pub(crate) struct Windows {
    root: Window,
    pub(crate) atoms: Atoms,
}

impl Windows {
    /// Those on the screen that is covered by `root`, under all others.
    pub(crate) fn of(connection: &RustConnection, root: Window) -> Result<Self, Refused> {
        Ok(Self { root, atoms: Atoms::new(connection)?.reply()? })
    }

    /// The window that covers the screen, under all others.
    pub(crate) fn root(&self) -> Window {
        self.root
    }

    /// The name of the window manager; empty where it has none. Nothing where none runs, or none that keeps to the Extended
    /// Window Manager Hints.
    pub(crate) fn window_manager(&self, on: &RustConnection) -> Result<Option<String>, Refused> {
        let check = self.atoms._NET_SUPPORTING_WM_CHECK;
        let Some(own) = self.number(on, self.root, check)? else { return Ok(None) };
        // One that ended leaves the number of its window behind, but not the window.
        if self.number(on, own, check)? != Some(own) {
            return Ok(None);
        }
        self.title(on, own).map(Some)
    }

    /// Where `window` is, without its frame.
    pub(crate) fn place(&self, on: &RustConnection, window: Window) -> Result<Place, Refused> {
        self.ask_place(on, window)?.told()
    }

    /// Asks for that, and goes on.
    pub(crate) fn ask_place<'c>(
        &self,
        on: &'c RustConnection,
        window: Window,
    ) -> Result<AskedPlace<'c>, Refused> {
        Ok(AskedPlace {
            state: on.get_window_attributes(window)?,
            size: on.get_geometry(window)?,
            corner: on.translate_coordinates(window, self.root, 0, 0)?,
        })
    }

    /// The windows that lie on the screen itself and would get a press at these places; the root where nothing lies there.
    /// A window that lets presses through is none.
    pub(crate) fn at(&self, on: &RustConnection, places: &[Px]) -> Result<Vec<Window>, Refused> {
        let asked = places.iter().map(|at| {
            let clamp = |n: i32| n.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            on.translate_coordinates(self.root, self.root, clamp(at.x), clamp(at.y))
        });
        let asked = asked.collect::<Result<Vec<_>, _>>()?;
        let child = |found: u32| if found == x11rb::NONE { self.root } else { found };
        asked.into_iter().map(|asked| Ok(child(asked.reply()?.child))).collect()
    }

    /// The window that lies on the screen itself in which `window` is: its frame, where it has one.
    pub(crate) fn top_of(&self, on: &RustConnection, window: Window) -> Result<Window, Refused> {
        let mut at = window;
        loop {
            match told(on.query_tree(at)?.reply())? {
                Some(tree) if tree.parent != self.root && tree.parent != x11rb::NONE => {
                    at = tree.parent;
                }
                _ => return Ok(at),
            }
        }
    }

    /// Who gets keys, for somebody who plays in `game`.
    pub(crate) fn keyboard(
        &self,
        on: &RustConnection,
        game: Window,
        pointer: Px,
    ) -> Result<Owner, Refused> {
        let focus = on.get_input_focus()?.reply()?.focus;
        let top = match focus {
            NOWHERE => return Ok(Owner::Other("no window".to_owned())),
            UNDER_POINTER => self.at(on, &[pointer])?[0],
            window => self.top_of(on, window)?,
        };
        // Some programs take the keyboard without being the one that works, and the window manager may not have heard yet
        // who has it: a key is the game's only where both say so.
        let by_focus = self.owner(on, game, top)?;
        let active = self.number(on, self.root, self.atoms._NET_ACTIVE_WINDOW)?;
        match active.filter(|&active| active != x11rb::NONE) {
            Some(active) if by_focus == Owner::Game => {
                let active = self.top_of(on, active)?;
                self.owner(on, game, active)
            }
            _ => Ok(by_focus),
        }
    }

    /// Whose window `top` is, which lies on the screen itself, for somebody who plays in `game`.
    pub(crate) fn owner(
        &self,
        on: &RustConnection,
        game: Window,
        top: Window,
    ) -> Result<Owner, Refused> {
        if top == self.top_of(on, game)? {
            return Ok(Owner::Game);
        }
        if top == self.root {
            return Ok(Owner::Other("the desktop".to_owned()));
        }
        let window = self.client(on, top)?.unwrap_or(top);
        let is_dialog = self.is_dialog_of(on, window, game)?;
        let title = self.title(on, window)?;
        if !title.is_empty() {
            return Ok(if is_dialog { Owner::Dialog(title) } else { Owner::Other(title) });
        }
        Ok(match self.class(on, window)? {
            // Called as in the list of windows.
            Some(class) if is_dialog => Owner::Dialog(class),
            Some(class) => Owner::Other(format!("a window of {class}")),
            None => Owner::Other("a window without a name".to_owned()),
        })
    }

    /// The window of a program in the frame `top`: the one that the window manager has noted its state on.
    fn client(&self, on: &RustConnection, top: Window) -> Result<Option<Window>, Refused> {
        let mut level = vec![top];
        for _ in 0..FRAME_DEPTH {
            let mut below = Vec::new();
            for &window in &level {
                if self.number(on, window, self.atoms.WM_STATE)?.is_some() {
                    return Ok(Some(window));
                }
                let tree = told(on.query_tree(window)?.reply())?;
                below.extend(tree.map(|tree| tree.children).unwrap_or_default());
            }
            level = below;
        }
        Ok(None)
    }

    /// Whether `window` is a dialog of the program that has `game`, and belongs to that window. Of programs that do not tell
    /// their process it is what says so, or has the same class.
    pub(crate) fn is_dialog_of(
        &self,
        on: &RustConnection,
        window: Window,
        game: Window,
    ) -> Result<bool, Refused> {
        let number = |of: Window, name: Atom| self.number(on, of, name);
        let says_so = number(window, AtomEnum::WM_TRANSIENT_FOR.into())? == Some(game);
        let same_process = match (
            number(window, self.atoms._NET_WM_PID)?,
            number(game, self.atoms._NET_WM_PID)?,
        ) {
            (Some(one), Some(other)) => one == other,
            _ if says_so => true,
            _ => {
                let class = self.class(on, window)?;
                class.is_some() && class == self.class(on, game)?
            }
        };
        let kind = number(window, self.atoms._NET_WM_WINDOW_TYPE)?;
        let is_dialog = kind == Some(self.atoms._NET_WM_WINDOW_TYPE_DIALOG);
        Ok(same_process && (says_so || is_dialog))
    }

    /// The title of a window; empty where it has none.
    fn title(&self, on: &RustConnection, window: Window) -> Result<String, Refused> {
        let modern = self.property(on, window, self.atoms._NET_WM_NAME, self.atoms.UTF8_STRING)?;
        if let Some(title) = modern {
            return Ok(String::from_utf8_lossy(&title).into_owned());
        }
        let plain = self.property(on, window, AtomEnum::WM_NAME.into(), AtomEnum::ANY.into())?;
        Ok(plain.unwrap_or_default().into_iter().map(char::from).collect())
    }

    /// The class of a window: the second of its two names, that of its program.
    fn class(&self, on: &RustConnection, window: Window) -> Result<Option<String>, Refused> {
        let names =
            self.property(on, window, AtomEnum::WM_CLASS.into(), AtomEnum::STRING.into())?;
        let names = names.unwrap_or_default();
        let class = names.split(|&byte| byte == 0).nth(1).filter(|class| !class.is_empty());
        Ok(class.map(|class| class.iter().copied().map(char::from).collect()))
    }

    /// The first number of a property, if the window has it.
    fn number(
        &self,
        on: &RustConnection,
        window: Window,
        name: Atom,
    ) -> Result<Option<u32>, Refused> {
        let asked = on.get_property(false, window, name, AtomEnum::ANY, 0, 1)?;
        Ok(told(asked.reply())?.and_then(|reply| reply.value32()?.next()))
    }

    /// The bytes of a property, if the window has it; not more than there may be in a title.
    fn property(
        &self,
        on: &RustConnection,
        window: Window,
        name: Atom,
        kind: Atom,
    ) -> Result<Option<Vec<u8>>, Refused> {
        const WORDS: u32 = 256;
        let asked = on.get_property(false, window, name, kind, 0, WORDS)?;
        let value = told(asked.reply())?.map(|reply| reply.value);
        Ok(value.filter(|value| !value.is_empty()))
    }
}

/// Questions to the server about the place of a window, not answered yet.
pub(crate) struct AskedPlace<'c> {
    state: Cookie<'c, RustConnection, GetWindowAttributesReply>,
    size: Cookie<'c, RustConnection, GetGeometryReply>,
    corner: Cookie<'c, RustConnection, TranslateCoordinatesReply>,
}

impl AskedPlace<'_> {
    /// The answer.
    pub(crate) fn told(self) -> Result<Place, Refused> {
        let answers =
            (told(self.state.reply())?, told(self.size.reply())?, told(self.corner.reply())?);
        let (Some(state), Some(size), Some(corner)) = answers else {
            return Ok(Place::Gone);
        };
        if state.map_state != MapState::VIEWABLE {
            return Ok(Place::Gone);
        }
        let (x, y) = (corner.dst_x.into(), corner.dst_y.into());
        Ok(Place::At(Rect::new(x, y, size.width.into(), size.height.into())))
    }
}

/// What the server answered; nothing when what was asked about is not there any more.
pub(crate) fn told<T>(answer: Result<T, ReplyError>) -> Result<Option<T>, Refused> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(ReplyError::X11Error(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
