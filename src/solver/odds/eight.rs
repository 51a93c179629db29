//! A list of at most eight: a cell has eight neighbours, and much of the odds is about them.
//!
//! Kept in place, so that a constraint or a class of cells is one piece of memory.

use std::ops::Deref;

/// At most eight of something small.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Eight<T> {
    items: [T; 8],
    len: u8,
}

impl<T: Copy + Default> Eight<T> {
    /// Adds one; the callers never have more than eight.
    pub fn push(&mut self, item: T) {
        self.items[usize::from(self.len)] = item;
        self.len += 1;
    }

    /// Keeps those that satisfy `keep`, in their order.
    pub fn retain(&mut self, keep: impl Fn(T) -> bool) {
        let all = *self;
        self.len = 0;
        for &item in all.iter().filter(|&&item| keep(item)) {
            self.push(item);
        }
    }
}

impl<T> Deref for Eight<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<T: PartialEq> PartialEq for Eight<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Copy + Default> FromIterator<T> for Eight<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::default();
        items.into_iter().for_each(|item| list.push(item));
        list
    }
}
