//! Installing: what the scripts find.

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
