//! Frames over the desktop, which clicks go through: advice where the person looks.
//!
//! There is a window for each colour, which the window manager leaves alone. The X extension SHAPE cuts it down to the
//! frames, and takes its part that would get clicks away altogether. So nothing has to be painted, and no compositor is
//! needed.

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::shape::{self, ConnectionExt as _, SK, SO};
use x11rb::protocol::xproto::{
    ClipOrdering, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, Rectangle, StackMode,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

use crate::capture::CaptureError;
use crate::geometry::Rect;

/// How thick a frame is, in pixels.
const THICK: u32 = 2;

/// Frames of some colours. They go when this is dropped.
pub struct Frames {
    connection: RustConnection,
    windows: Vec<Window>,
}

impl Frames {
    /// Makes frames of these colours, red, green and blue; none show yet.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`], also where the X server has no SHAPE.
    pub fn of(colours: &[[u8; 3]]) -> Result<Self, CaptureError> {
        let unable = |source| CaptureError::NoDisplay { display: None, source };
        Self::open(colours).map_err(unable)
    }

    fn open(colours: &[[u8; 3]]) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let (connection, number) = x11rb::connect(None)?;
        if connection.extension_information(shape::X11_EXTENSION_NAME)?.is_none() {
            return Err("the X server lacks the extension SHAPE".into());
        }
        let screen = &connection.setup().roots[number];
        let (root, width, height) = (screen.root, screen.width_in_pixels, screen.height_in_pixels);
        let mut windows = Vec::new();
        for &[red, green, blue] in colours {
            let window = connection.generate_id()?;
            // On screens of true colour, which all are today.
            let pixel = u32::from_be_bytes([0, red, green, blue]);
            let look = CreateWindowAux::new().override_redirect(1).background_pixel(pixel);
            let (class, as_parent) = (WindowClass::INPUT_OUTPUT, 0);
            connection
                .create_window(as_parent, window, root, 0, 0, width, height, 0, class, 0, &look)?;
            cut(&connection, window, SK::INPUT, &[])?;
            cut(&connection, window, SK::BOUNDING, &[])?;
            connection.map_window(window)?;
            windows.push(window);
        }
        connection.flush()?;
        Ok(Self { connection, windows })
    }

    /// Shows a frame just inside each of these areas, in place of those before: for each colour its areas, in pixels of the
    /// screen.
    ///
    /// # Errors
    /// When the X server is gone.
    pub fn show(&mut self, areas: &[Vec<Rect>]) -> Result<(), CaptureError> {
        let gone = |source: Box<dyn std::error::Error + Send + Sync>| CaptureError::NoDisplay {
            display: None,
            source,
        };
        for (&window, areas) in self.windows.iter().zip(areas) {
            let sides: Vec<Rectangle> = areas.iter().flat_map(|&area| sides(area)).collect();
            let top = ConfigureWindowAux::new().stack_mode(StackMode::ABOVE);
            cut(&self.connection, window, SK::BOUNDING, &sides).map_err(gone)?;
            self.connection.configure_window(window, &top).map_err(|error| gone(error.into()))?;
        }
        self.connection.flush().map_err(|error| gone(error.into()))
    }
}

/// Cuts a window down to some rectangles.
fn cut(
    connection: &RustConnection,
    window: Window,
    kind: SK,
    to: &[Rectangle],
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    connection.shape_rectangles(SO::SET, kind, ClipOrdering::UNSORTED, window, 0, 0, to)?;
    Ok(())
}

/// The four sides of a frame just inside an area.
fn sides(area: Rect) -> [Rectangle; 4] {
    let thick = THICK.min(area.width).min(area.height);
    let side = |x: i32, y: i32, width: u32, height: u32| Rectangle {
        x: x as i16,
        y: y as i16,
        width: width as u16,
        height: height as u16,
    };
    [
        side(area.x, area.y, area.width, thick),
        side(area.x, area.bottom() - thick as i32, area.width, thick),
        side(area.x, area.y, thick, area.height),
        side(area.right() - thick as i32, area.y, thick, area.height),
    ]
}
