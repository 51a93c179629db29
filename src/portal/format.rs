//! What pictures are asked of PipeWire, in its own serialization.

use std::io::Cursor;
use std::mem::size_of;

use pipewire::spa::param::ParamType;
use pipewire::spa::param::format::{FormatProperties, MediaSubtype, MediaType};
use pipewire::spa::param::video::VideoFormat;
use pipewire::spa::pod::serialize::PodSerializer;
use pipewire::spa::pod::{ChoiceValue, Object, Property, Value, object, property};
use pipewire::spa::sys;
use pipewire::spa::utils::{
    Choice, ChoiceEnum, ChoiceFlags, Fraction, Id, Rectangle, Region, SpaTypes,
};

/// Pictures of four bytes a pixel, of any size, as often as they come.
pub(super) fn wanted() -> Vec<u8> {
    let of_any_size = (
        Rectangle { width: 1280, height: 800 },
        Rectangle { width: 1, height: 1 },
        Rectangle { width: u16::MAX.into(), height: u16::MAX.into() },
    );
    let often = Fraction { num: 1000, denom: 1 };
    serialized(object!(
        SpaTypes::ObjectParamFormat,
        ParamType::EnumFormat,
        property!(FormatProperties::MediaType, Id, MediaType::Video),
        property!(FormatProperties::MediaSubtype, Id, MediaSubtype::Raw),
        property!(
            FormatProperties::VideoFormat,
            Choice,
            Enum,
            Id,
            VideoFormat::BGRx,
            VideoFormat::BGRx,
            VideoFormat::RGBx,
            VideoFormat::BGRA,
            VideoFormat::RGBA
        ),
        property!(
            FormatProperties::VideoSize,
            Choice,
            Range,
            Rectangle,
            of_any_size.0,
            of_any_size.1,
            of_any_size.2
        ),
        // A rate of 0: a picture whenever something changes.
        property!(
            FormatProperties::VideoFramerate,
            Choice,
            Range,
            Fraction,
            Fraction { num: 0, denom: 1 },
            Fraction { num: 0, denom: 1 },
            often
        ),
    ))
}

/// Buffers that the program can read, and what is to be told beside the picture: where the pointer is and what changed.
pub(super) fn wanted_buffers() -> Vec<Vec<u8>> {
    let readable = 1 << sys::SPA_DATA_MemFd | 1 << sys::SPA_DATA_MemPtr;
    // One is kept, and the compositor needs one to paint on while another is on its way.
    let buffers = parameter(
        SpaTypes::ObjectParamBuffers,
        ParamType::Buffers,
        [
            (sys::SPA_PARAM_BUFFERS_buffers, range(6, 3, 16)),
            (sys::SPA_PARAM_BUFFERS_dataType, flags(readable)),
        ],
    );
    let cursor = |side: usize| {
        let picture = size_of::<sys::spa_meta_bitmap>() + 4 * side * side;
        (size_of::<sys::spa_meta_cursor>() + picture) as i32
    };
    let regions = |count: usize| (count * size_of::<Region>()) as i32;
    vec![
        buffers,
        beside(sys::SPA_META_Cursor, range(cursor(64), cursor(1), cursor(1024))),
        beside(sys::SPA_META_VideoDamage, range(regions(16), regions(1), regions(64))),
    ]
}

/// Something to be told beside the picture, that takes so many bytes.
fn beside(kind: u32, size: Value) -> Vec<u8> {
    parameter(
        SpaTypes::ObjectParamMeta,
        ParamType::Meta,
        [(sys::SPA_PARAM_META_type, Value::Id(Id(kind))), (sys::SPA_PARAM_META_size, size)],
    )
}

fn parameter(of: SpaTypes, id: ParamType, properties: [(u32, Value); 2]) -> Vec<u8> {
    let properties = properties.map(|(key, value)| Property::new(key, value)).to_vec();
    serialized(Object { type_: of.as_raw(), id: id.as_raw(), properties })
}

fn range(default: i32, min: i32, max: i32) -> Value {
    choice(ChoiceEnum::Range { default, min, max })
}

fn flags(flags: i32) -> Value {
    choice(ChoiceEnum::Flags { default: flags, flags: Vec::new() })
}

fn choice(among: ChoiceEnum<i32>) -> Value {
    Value::Choice(ChoiceValue::Int(Choice(ChoiceFlags::empty(), among)))
}

fn serialized(object: Object) -> Vec<u8> {
    let written = PodSerializer::serialize(Cursor::new(Vec::new()), &Value::Object(object));
    // Memory takes whatever is written.
    written.map(|(written, _)| written.into_inner()).unwrap_or_default()
}
