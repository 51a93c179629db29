//! The chances of a mine that the groups give, first each for itself, then scaled until they agree.

use crate::board::Board;

use super::split::Group;

/// How far, in mines, the sum of a group's chances may be from its mines when it counts as settled.
const TOLERANCE: f64 = 0.01;

/// Groups that contradict each other a little may never settle: then this many rounds will do.
const MAX_ROUNDS: usize = 100;

/// The chance of each cell of the board that is in a group, row by row.
pub fn chances(board: &Board, groups: &[Group]) -> Vec<Option<f64>> {
    let mut chances = independent_chances(board, groups);
    for _ in 0..MAX_ROUNDS {
        let mut settled = true;
        for group in groups {
            let cells = || group.cells.iter().map(|&cell| board.index(cell));
            let sum: f64 = cells().filter_map(|index| chances[index]).sum();
            let mines = group.mines as f64;
            if (sum - mines).abs() > TOLERANCE {
                settled = false;
                for index in cells() {
                    chances[index] = chances[index].map(|chance| chance * mines / sum);
                }
            }
        }
        if settled {
            break;
        }
    }
    for chance in chances.iter_mut().flatten() {
        *chance = chance.min(1.0);
    }
    chances
}

/// The chance that any group of the cell gives it a mine, as if they knew nothing of each other.
fn independent_chances(board: &Board, groups: &[Group]) -> Vec<Option<f64>> {
    let mut chances = vec![None; usize::from(board.cols()) * usize::from(board.rows())];
    for group in groups {
        for &cell in &group.cells {
            let chance = &mut chances[board.index(cell)];
            *chance = Some(1.0 - (1.0 - chance.unwrap_or(0.0)) * (1.0 - group.density()));
        }
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::super::super::Budget;
    use super::super::super::knowledge::Knowledge;
    use super::super::split::split_all;
    use super::*;

    /// The chances of the first row, before and after scaling.
    fn first_row(drawing: &str) -> (Vec<Option<f64>>, Vec<Option<f64>>) {
        let board: Board = drawing.parse().unwrap();
        let known = Knowledge::of(&board).unwrap();
        let groups = split_all(&known, &mut Budget::nodes(1000)).unwrap();
        let row = |mut chances: Vec<Option<f64>>| {
            chances.truncate(usize::from(board.cols()));
            chances
        };
        (row(independent_chances(&board, &groups)), row(chances(&board, &groups)))
    }

    fn is_near(chances: &[Option<f64>], expected: &[f64]) -> bool {
        let pairs = chances.iter().zip(expected);
        pairs.clone().count() == expected.len()
            && pairs.into_iter().all(|(chance, expected)| (chance.unwrap() - expected).abs() < 1e-9)
    }

    #[test]
    fn a_four_and_a_two_with_seven_unknowns_give_four_and_two_sevenths_and_more_where_they_meet() {
        let (before, _) = first_row("####\n#42#\n####");
        let both = 1.0 - (3.0 / 7.0) * (5.0 / 7.0);
        assert!(is_near(&before, &[4.0 / 7.0, both, both, 2.0 / 7.0]), "{before:?}");
    }

    #[test]
    fn scaled_chances_of_a_number_sum_up_to_its_mines() {
        let (_, after) = first_row("####\n#42#\n####");
        let [left, both, same, right] = after[..] else { panic!("{after:?}") };
        let [left, both, right] = [left, both, right].map(Option::unwrap);
        assert_eq!(Some(both), same);
        assert!((3.0 * left + 4.0 * both - 4.0).abs() <= TOLERANCE, "{left} {both}");
        assert!((3.0 * right + 4.0 * both - 2.0).abs() <= TOLERANCE, "{right} {both}");
    }

    #[test]
    fn a_cell_that_no_number_touches_has_no_chance_of_its_own() {
        let (before, after) = first_row("##2###\n###3##");
        assert_eq!((before[0], after[0], before[5], after[5]), (None, None, None, None));
        assert!(before[1].is_some() && after[4].is_some());
    }
}
