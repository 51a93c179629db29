//! What lies around a cell that may be opened.

use std::sync::Arc;

use crate::solver::grid::Grid;

use super::component::Component;
use super::eight::Eight;
use super::partition::Constraint;
use super::place::Place;

/// What lies around a cell that may be opened.
pub(super) struct Around {
    /// Known mines.
    pub mines: u8,
    /// Unknown cells.
    pub unknown: Eight<u32>,
    /// The components of the cell and of those around it, each once.
    pub components: Eight<u32>,
    /// The constraints of these components, when the cell is no mine.
    pub constraints: Vec<Constraint>,
}

impl Around {
    /// What lies around `cell` of the grid; `None` when it is open or a mine.
    pub fn of(
        cell: u32,
        grid: Grid,
        places: &[Place],
        components: &[Option<Arc<Component>>],
    ) -> Option<Self> {
        let own = places[cell as usize];
        if matches!(own, Place::Open | Place::Mine) {
            return None;
        }
        let mut around = Self {
            mines: 0,
            unknown: Eight::default(),
            components: Eight::default(),
            constraints: Vec::new(),
        };
        let mut touch = |place| {
            if let Place::Class { component, .. } = place
                && !around.components.contains(&component)
            {
                around.components.push(component);
            }
        };
        touch(own);
        for near in grid.around(cell as usize) {
            let place = places[near];
            touch(place);
            match place {
                Place::Open | Place::Clear => {}
                Place::Mine => around.mines += 1,
                Place::Rest | Place::Class { .. } => around.unknown.push(near as u32),
            }
        }
        for &component in around.components.iter() {
            let constraints = components[component as usize].iter();
            for mut constraint in
                constraints.flat_map(|component| component.constraints.iter().copied())
            {
                constraint.cells.retain(|other| other != cell);
                around.constraints.push(constraint);
            }
        }
        Some(around)
    }
}
