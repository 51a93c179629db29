//! Making skins: from screenshots that somebody has labelled, or from pictures of a game that is being played.
//!
//! - [`from_labels`] cuts templates out of screenshots whose boards are known.
//! - [`from_play`] works out the boards: which cells there are, which looks they have and what each look means. With
//!   that the pictures have labels, and [`from_labels`] makes the skin of them.
//!
//! Neither looks at a screen or clicks. Who plays the games is [`play::Learner`](crate::play::Learner).

pub mod from_labels;
pub mod from_play;
