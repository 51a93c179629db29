//! Text as Windows has it: UTF-16 that ends with a zero.

/// The text in `letters` up to the first zero.
pub(crate) fn from_wide(letters: &[u16]) -> String {
    let end = letters.iter().position(|&letter| letter == 0).unwrap_or(letters.len());
    String::from_utf16_lossy(&letters[..end])
}

/// `text` with a zero at its end.
pub(crate) fn to_wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}
