//! Windows that only show something: a picture, or a patch that no window manager knows.

use image::RgbImage;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, CreateGCAux, CreateWindowAux, ImageFormat, PropMode, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// A window, for as long as this lives.
pub struct Shown {
    _connection: RustConnection,
}

impl Shown {
    /// A picture in a window with this title.
    pub fn picture(display: &str, title: &str, picture: &RgbImage) -> Self {
        Self::open(display, title, (100, 60), picture, false)
    }

    /// A grey patch at this place of the screen, of this size, that no window manager is asked for.
    pub fn pop_up(display: &str, title: &str, place: (i32, i32), size: (u32, u32)) -> Self {
        let grey = RgbImage::from_pixel(size.0, size.1, image::Rgb([90, 140, 90]));
        Self::open(display, title, place, &grey, true)
    }

    fn open(
        display: &str,
        title: &str,
        (x, y): (i32, i32),
        picture: &RgbImage,
        unmanaged: bool,
    ) -> Self {
        let (connection, number) = x11rb::connect(Some(display)).unwrap();
        let screen = connection.setup().roots[number].clone();
        let (width, height) = (picture.width() as u16, picture.height() as u16);
        let pixmap = connection.generate_id().unwrap();
        let depth = screen.root_depth;
        connection.create_pixmap(depth, pixmap, screen.root, width, height).unwrap();
        let context = connection.generate_id().unwrap();
        connection.create_gc(context, pixmap, &CreateGCAux::new()).unwrap();
        for (y, row) in picture.rows().enumerate() {
            let pixels: Vec<u8> = row.flat_map(|pixel| [pixel[2], pixel[1], pixel[0], 0]).collect();
            let kind = ImageFormat::Z_PIXMAP;
            connection
                .put_image(kind, pixmap, context, width, 1, 0, y as i16, 0, depth, &pixels)
                .unwrap();
        }
        let window = connection.generate_id().unwrap();
        let looks = CreateWindowAux::new()
            .background_pixmap(pixmap)
            .override_redirect(u32::from(unmanaged));
        let (kind, like_root) = (WindowClass::INPUT_OUTPUT, x11rb::COPY_FROM_PARENT);
        let (x, y) = (x as i16, y as i16);
        connection
            .create_window(0, window, screen.root, x, y, width, height, 0, kind, like_root, &looks)
            .unwrap();
        let name = AtomEnum::WM_NAME;
        let (mode, text) = (PropMode::REPLACE, AtomEnum::STRING);
        connection.change_property8(mode, window, name, text, title.as_bytes()).unwrap();
        connection.map_window(window).unwrap();
        connection.get_input_focus().unwrap().reply().unwrap();
        Self { _connection: connection }
    }
}
