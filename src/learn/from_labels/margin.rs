//! How well the templates of a skin tell the kinds of cells apart.

use std::sync::Arc;

use super::CalibrateError;
use crate::board::Cell;
use crate::recognize::detect::matcher::Matcher;
use crate::recognize::detect::patch::Patch;
use crate::recognize::model::are_told_apart;
use crate::recognize::{GamePhase, Skin};

/// The two kinds of cells that look most alike.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Margin {
    /// The kinds.
    pub kinds: [Cell; 2],
    /// In which phase of the game they look so.
    pub phase: Option<GamePhase>,
    /// How much the nearest two of their templates differ, in grey levels.
    pub levels: f32,
}

/// The worst margin between the templates of two kinds that may show in one game; `None` when the skin
/// knows one kind only.
///
/// # Errors
/// When two kinds look so alike that the reader could not tell one's own template from the other's.
pub fn worst_margin(skin: &Skin) -> Result<Option<Margin>, CalibrateError> {
    let matcher = Matcher::new(Arc::new(skin.clone()));
    let patches: Vec<Patch> = skin.templates.iter().map(|t| Patch::of(&t.picture)).collect();
    let mut worst: Option<Margin> = None;
    for phase in matcher.phases() {
        // As when a board is read, a kind with a look of its own in this phase has no other.
        let own = |kind| skin.templates.iter().any(|t| t.cell == kind && t.phase == phase);
        let looks: Vec<(Cell, &Patch)> = skin
            .templates
            .iter()
            .zip(&patches)
            .filter(|(t, _)| t.phase == phase || (t.phase.is_none() && !own(t.cell)))
            .map(|(t, patch)| (t.cell, patch))
            .collect();
        for (index, &(kind, patch)) in looks.iter().enumerate() {
            let others = looks[..index].iter().filter(|(other, _)| *other != kind);
            let nearest = others
                .map(|&(other, look)| (other, look.distance(patch, skin.fill_weight())))
                .min_by(|(_, a), (_, b)| a.total_cmp(b));
            if let Some((other, levels)) = nearest
                && worst.is_none_or(|worst| levels < worst.levels)
            {
                worst = Some(Margin { kinds: [other, kind], phase, levels });
            }
        }
    }
    match worst {
        Some(Margin { kinds, levels, .. }) if !are_told_apart(levels) => {
            Err(CalibrateError::Alike { kinds, levels })
        }
        worst => Ok(worst),
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;
    use crate::recognize::Template;

    fn skin(greys: &[(Cell, Option<GamePhase>, u8)]) -> Skin {
        let template = |&(cell, phase, grey): &(Cell, Option<GamePhase>, u8)| Template {
            cell,
            phase,
            picture: RgbImage::from_pixel(16, 16, Rgb([grey; 3])),
        };
        Skin { templates: greys.iter().map(template).collect(), ..Skin::default() }
    }

    #[test]
    fn the_two_most_alike_kinds_are_named() {
        let skin = skin(&[
            (Cell::Covered, None, 100),
            (Cell::open(0), None, 150),
            (Cell::Flagged, None, 60),
            (Cell::Flagged, None, 61),
        ]);
        let worst = worst_margin(&skin).unwrap().unwrap();
        assert_eq!(worst.kinds, [Cell::Covered, Cell::Flagged]);
        assert!((worst.levels - 39.0).abs() < 0.01, "{}", worst.levels);
    }

    #[test]
    fn two_kinds_that_look_the_same_are_refused() {
        let alike = skin(&[(Cell::Covered, None, 100), (Cell::open(0), None, 101)]);
        let error = worst_margin(&alike).unwrap_err();
        assert!(
            matches!(error, CalibrateError::Alike { kinds: [Cell::Covered, other], .. } if other == Cell::open(0)),
            "{error}"
        );
        // A lost game may turn its covered cells into what blank ones were, if those change too.
        let phasey = skin(&[
            (Cell::Covered, None, 100),
            (Cell::open(0), None, 150),
            (Cell::Covered, Some(GamePhase::Lost), 150),
            (Cell::open(0), Some(GamePhase::Lost), 200),
        ]);
        assert!(worst_margin(&phasey).is_ok());
    }
}
