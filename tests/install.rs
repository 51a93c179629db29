//! Installing: what the scripts find and fetch, completions, and the manual.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file that comes with the sources.
fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A computer on which only `/bin/sh` is real, and the few programs that the scripts get by name.
struct Machine(TempDir);

impl Machine {
    /// One whose system calls itself so.
    fn of(system: &str) -> Self {
        let machine = Self(tempfile::tempdir().unwrap());
        fs::create_dir(machine.path("bin")).unwrap();
        fs::write(machine.path("os-release"), format!("ID={system}\n")).unwrap();
        let tools = "bash cat dirname find env ls mkdir mktemp rm sed sort tail tee awk date uname";
        for tool in tools.split(' ') {
            let found = Command::new("sh").args(["-c", &format!("command -v {tool}")]).output();
            let path = printed(&found.unwrap());
            symlink(path.trim(), machine.path("bin").join(tool)).unwrap();
        }
        machine.program("id", "echo 0");
        machine.program("cargo", "true");
        machine
    }

    fn debian() -> Self {
        let machine = Self::of("debian");
        // What is installed stands in a file.
        machine.program("dpkg-query", r#"grep -qx "$3" "$ROOT/installed" && printf installed"#);
        machine.program("grep", &format!("exec {} \"$@\"", real("grep")));
        machine.program("apt-get", r#"echo "apt-get $*" >>"$ROOT/log""#);
        fs::write(machine.path("installed"), "").unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Adds a program, a line of shell.
    fn program(&self, name: &str, line: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// What runs `program` here.
    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env_clear().env("PATH", self.path("bin")).env("ROOT", self.0.path());
        command.env("OS_RELEASE", self.path("os-release")).env("HOME", self.0.path());
        command
    }

    fn setup(&self, args: &[&str]) -> Output {
        self.command(source("scripts/setup.sh")).args(args).output().unwrap()
    }

    /// What was done by the programs that keep a log.
    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }
}

/// Where a program of this machine is.
fn real(program: &str) -> String {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    printed(&found.unwrap()).trim().to_owned()
}

#[test]
fn bindings_are_made_with_the_newest_libclang_that_has_its_headers() {
    let machine = Machine::of("debian");
    let taken = |more: &[(&str, &str)]| {
        let mut command = machine.command("bash");
        command.env("LLVM_FOLDERS", machine.0.path()).envs(more.iter().copied());
        command.args(["-c", ". \"$0\"; echo \"${LIBCLANG_PATH:-}\""]);
        let output = command.arg(source("scripts/cargo-path.sh")).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        printed(&output).trim().replace(machine.0.path().to_str().unwrap(), "")
    };
    let library = |version: &str, file: &str| {
        let folder = machine.path(&format!("llvm-{version}/lib"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), "").unwrap();
    };
    let headers = |version: &str| {
        let folder = machine.path(&format!("llvm-{version}/lib/clang/{version}/include"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("stdbool.h"), "").unwrap();
    };
    assert_eq!(taken(&[]), "", "there is none");
    library("16", "libclang-16.so.1");
    assert_eq!(taken(&[]), "", "its headers are missing");
    library("9", "libclang.so.1");
    headers("9");
    assert_eq!(taken(&[]), "/llvm-9/lib");
    library("14", "libclang-14.so");
    headers("14");
    assert_eq!(taken(&[]), "/llvm-14/lib");
    // Another library of the same project, with headers.
    library("17", "libclang-cpp.so.17");
    headers("17");
    assert_eq!(taken(&[]), "/llvm-14/lib");
    assert_eq!(taken(&[("LIBCLANG_PATH", "/mine")]), "/mine", "as the person says");
}

#[test]
fn setup_installs_what_is_missing_and_nothing_else() {
    let machine = Machine::debian();
    fs::write(machine.path("installed"), "gcc\nlibc6-dev\nlibclang-dev\n").unwrap();
    let output = machine.setup(&["build"]);
    assert!(output.status.success(), "{}", said(&output));
    let log = machine.log();
    assert!(log.contains("install -y --no-install-recommends pkg-config libpipewire"), "{log}");
    assert!(!log.contains("gcc") && !log.contains("xvfb"), "{log}");

    let all = log.lines().last().unwrap().split(' ').map(|name| format!("{name}\n"));
    let installed = fs::read_to_string(machine.path("installed")).unwrap();
    fs::write(machine.path("installed"), installed + &all.collect::<String>()).unwrap();
    let output = machine.setup(&["build"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", said(&output));
    assert_eq!(machine.log(), log);
}

#[test]
fn setup_asks_sudo_where_the_person_is_not_root_and_fails_without_it() {
    let machine = Machine::debian();
    machine.program("id", "echo 1000");
    let output = machine.setup(&["build"]);
    assert_eq!(output.status.code(), Some(1));
    let command = "run this as root: apt-get install --no-install-recommends gcc";
    assert!(said(&output).contains(command), "{}", said(&output));
    assert_eq!(machine.log(), "");

    machine.program("sudo", r#"echo sudo >>"$ROOT/log"; exec "$@""#);
    assert!(machine.setup(&["build"]).status.success());
    assert!(machine.log().starts_with("sudo\napt-get"), "{}", machine.log());
}

#[test]
fn setup_fails_where_packages_cannot_be_had() {
    let machine = Machine::debian();
    machine.program("apt-get", "exit 100");
    let output = machine.setup(&["play"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("apt-get install"), "{}", said(&output));
    assert!(said(&output).contains("wine64"), "{}", said(&output));
}

#[test]
fn setup_knows_the_names_on_fedora_and_arch_linux() {
    for (system, query, program, names) in [
        ("fedora", "rpm", "dnf", ["pipewire-devel", "clang-devel", "xorg-x11-server-Xvfb"]),
        ("arch", "pacman", "pacman", ["libpipewire", "clang", "xorg-server-xvfb"]),
        ("\"rocky\"\nID_LIKE=\"rhel centos fedora\"", "rpm", "dnf", ["gcc", "wine", "openbox"]),
    ] {
        let machine = Machine::of(system);
        // Without its package manager.
        let output = machine.setup(&["play"]);
        assert_eq!(output.status.code(), Some(1), "{system}: {}", said(&output));
        for name in names.iter().chain([&program]) {
            assert!(said(&output).contains(name), "{system}: {}", said(&output));
        }
        let line = r#"case "$1" in -q | -T) [ "$2$3" != --whatprovidesgcc ] && [ "$2" != gcc ] && exit 1; exit 0 ;; esac"#;
        let log = format!(r#"{line}; echo "$0 $*" >>"$ROOT/log""#);
        machine.program(query, &log);
        machine.program(program, &log);
        let output = machine.setup(&["play"]);
        assert!(output.status.success(), "{system}: {}", said(&output));
        let installed = machine.log();
        assert!(installed.contains(names[1]) && installed.contains(names[2]), "{installed}");
        assert!(!installed.contains(" gcc "), "{installed}");

        let output = machine.setup(&["test"]);
        assert_eq!(output.status.code(), Some(1), "{system}");
        assert!(said(&output).contains("Debian"), "{}", said(&output));
    }
}

#[test]
fn setup_says_what_is_missing_on_a_system_it_does_not_know() {
    let machine = Machine::of("void");
    let output = machine.setup(&["build"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("libpipewire-0.3-dev"), "{}", said(&output));
    assert_eq!(machine.setup(&["all"]).status.code(), Some(2));
}

/// Runs a script at a terminal at which somebody types.
fn at_a_terminal(machine: &Machine, script: &str, typed: &str) -> Output {
    let typed_at = format!("printf '{typed}\\n' | {} -qec '{script}' /dev/null", real("script"));
    machine.command(real("sh")).args(["-c", &typed_at]).output().unwrap()
}

#[test]
fn a_person_at_a_terminal_is_asked_before_something_is_installed() {
    let machine = Machine::debian();
    let setup = source("scripts/setup.sh").display().to_string();
    for (typed, installs) in [("n", false), ("", false), ("y", true)] {
        let output = at_a_terminal(&machine, &format!("{setup} --ask build"), typed);
        let told = printed(&output);
        assert!(told.contains("libclang-dev") && told.contains("[y/N]"), "{told}");
        assert_eq!(output.status.success(), installs, "{typed}: {told}");
        assert_eq!(machine.log().contains("install"), installs, "{typed}: {told}");
    }
    let machine = Machine::debian();
    let output = at_a_terminal(&machine, &format!("{setup} build"), "n");
    assert!(output.status.success() && machine.log().contains("install"), "{}", printed(&output));
}

/// The scripts that play, on this machine, where a game is only noted.
fn play(machine: &Machine) -> String {
    fs::create_dir(machine.path("scripts")).unwrap();
    for script in ["play.sh", "setup.sh", "cargo-path.sh"] {
        fs::copy(source("scripts").join(script), machine.path("scripts").join(script)).unwrap();
    }
    machine.program("../scripts/with-game.sh", r#"echo "with-game $*" >>"$ROOT/log""#);
    machine.path("scripts/play.sh").display().to_string()
}

#[test]
fn without_rust_the_program_that_is_installed_plays() {
    let machine = Machine::debian();
    let play = play(&machine);
    fs::remove_file(machine.path("bin/cargo")).unwrap();
    let output = machine.command(&play).output().unwrap();
    assert!(!output.status.success());
    assert!(said(&output).contains("https://rustup.rs"), "{}", said(&output));
    assert_eq!(machine.log(), "", "nothing was installed in vain");

    machine.program("minescraper", "exit 1");
    let output = machine.command(&play).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let told = ["neither DISPLAY nor WAYLAND_DISPLAY is set", "on no screen", "target/play/"];
    assert!(told.iter().all(|told| said(&output).contains(told)), "{}", said(&output));
    let log = machine.log();
    assert!(log.contains("xvfb") && !log.contains("libclang-dev"), "{log}");
    let installed = machine.path("bin/minescraper");
    let played = format!("with-game winemine beginner -- {} play", installed.display());
    assert!(log.contains(&played), "{log}");
}

#[test]
fn play_installs_a_game_after_asking_unless_told_yes() {
    let machine = Machine::debian();
    let play = play(&machine);
    machine.program("cargo", r#"echo "{\"target_directory\":\"$ROOT/target\"}""#);
    let build = "gcc libc6-dev pkg-config libclang-dev libpipewire-0.3-dev libwayland-dev \
                 libegl-dev libgbm-dev libxcb1-dev";
    fs::write(machine.path("installed"), build.replace(' ', "\n")).unwrap();

    let output = at_a_terminal(&machine, &play, "n");
    assert!(!output.status.success(), "{}", printed(&output));
    assert!(printed(&output).contains("wine"), "{}", printed(&output));
    assert_eq!(machine.log(), "");

    let output = at_a_terminal(&machine, &format!("{play} --yes --games 2"), "n");
    assert!(output.status.success(), "{}", printed(&output));
    assert!(printed(&output).contains("installing xvfb"), "{}", printed(&output));
    let log = machine.log();
    assert!(log.contains("xvfb") && log.contains("with-game winemine beginner --"), "{log}");
    assert!(log.contains("play --games 2") && !log.contains("--yes"), "{log}");

    // Nobody is there to be asked.
    let output = machine.command(&play).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("installing xvfb"), "{}", said(&output));
}

fn minescraper(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_minescraper")).args(args).output().unwrap()
}

#[test]
fn shells_complete_commands_and_their_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = minescraper(&["completions", shell]);
        assert!(output.status.success(), "{}", said(&output));
        for word in ["advise", "stop-key"] {
            assert!(printed(&output).contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(minescraper(&["completions", "dos"]).status.code(), Some(2));

    // As bash does it.
    let ask = "source <(\"$0\" completions bash); COMP_WORDS=(minescraper de); COMP_CWORD=1; \
               _minescraper minescraper de minescraper; echo \"${COMPREPLY[@]}\"";
    let program = env!("CARGO_BIN_EXE_minescraper");
    let output = Command::new("bash").args(["-c", ask, program]).output().unwrap();
    assert_eq!(printed(&output), "demo\n", "{}", said(&output));
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let temporary = tempfile::tempdir().unwrap();
    let page = printed(&minescraper(&["man"]));
    assert!(page.contains(".TH minescraper 1"), "{page}");
    let folder = temporary.path().join("man1");
    let output = minescraper(&["man", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", said(&output));
    let help = printed(&minescraper(&["--help"]));
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands: Vec<_> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"advise"), "{help}");
    for command in commands {
        let page = fs::read_to_string(folder.join(format!("minescraper-{command}.1")));
        assert!(page.is_ok() || command == "help", "{command}");
    }
    let page = fs::read_to_string(folder.join("minescraper-play.1")).unwrap();
    assert!(page.contains("stop\\-key"), "{page}");

    let file = temporary.path().join("file");
    fs::write(&file, "").unwrap();
    let output = minescraper(&["man", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("cannot write the manual"), "{}", said(&output));
}
