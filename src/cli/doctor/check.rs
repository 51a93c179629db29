//! What was checked, what was found, and what to do about it.

use serde_json::{Value, json};

/// How something stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// As it should be.
    Ok,
    /// Play can work all the same.
    Warn,
    /// Play cannot work.
    Fail,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warn => "warn",
            State::Fail => "fail",
        }
    }
}

/// One thing that was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What it is.
    pub name: &'static str,
    /// How it stands.
    pub state: State,
    /// What was found.
    pub found: String,
    /// What to do about it; nothing where it is as it should be.
    pub next: Option<String>,
}

impl Check {
    /// Something that is as it should be.
    pub fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::Ok, found: found.into(), next: None }
    }

    /// Something that play can do without.
    pub fn warn(name: &'static str, found: impl Into<String>, next: impl Into<String>) -> Self {
        Self { name, state: State::Warn, found: found.into(), next: Some(next.into()) }
    }

    /// Something that keeps play from working.
    pub fn fail(name: &'static str, found: impl Into<String>, next: impl Into<String>) -> Self {
        Self { name, state: State::Fail, found: found.into(), next: Some(next.into()) }
    }
}

/// A line for each check; below a problem another one, which says what to do.
pub fn as_text(checks: &[Check]) -> String {
    let line = |check: &Check| {
        let next = check.next.as_ref().map(|next| format!("\n      {next}"));
        let (state, name, found) = (check.state.word(), check.name, &check.found);
        format!("{state:<5} {name}: {found}{}", next.unwrap_or_default())
    };
    checks.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The same for a program.
pub fn as_json(checks: &[Check]) -> Value {
    let told = |check: &Check| {
        json!({
            "name": check.name,
            "state": check.state.word(),
            "found": check.found,
            "next": check.next,
        })
    };
    json!({ "checks": checks.iter().map(told).collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_has_a_line_below_it_that_says_what_to_do() {
        let checks = [
            Check::ok("system", "Debian"),
            Check::warn("window manager", "none", "start one"),
            Check::fail("display", "none", "log in"),
        ];
        let text = "ok    system: Debian\n\
                    warn  window manager: none\n      start one\n\
                    fail  display: none\n      log in";
        assert_eq!(as_text(&checks), text);
        let json = as_json(&checks);
        let first = json!({ "name": "system", "state": "ok", "found": "Debian", "next": null });
        assert_eq!(json["checks"][0], first);
        assert_eq!(json["checks"][2]["state"], "fail");
        assert_eq!(json["checks"][2]["next"], "log in");
    }
}
