//! Puts the manifest into the program for Windows: it works in physical pixels and UTF-8, with the rights of whoever starts it.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const MANIFEST: &str = "minescraper.exe.manifest";

fn main() {
    println!("cargo:rerun-if-changed={MANIFEST}");
    if var("CARGO_CFG_TARGET_OS") != "windows" {
        return;
    }
    let manifest = Path::new(&var("CARGO_MANIFEST_DIR")).join(MANIFEST);
    if var("CARGO_CFG_TARGET_ENV") == "msvc" {
        println!("cargo:rustc-link-arg-bins=/MANIFEST:EMBED");
        println!("cargo:rustc-link-arg-bins=/MANIFESTINPUT:{}", manifest.display());
        return;
    }
    match compiled(&manifest) {
        Ok(object) => println!("cargo:rustc-link-arg-bins={object}"),
        // The program asks for pixels itself then.
        Err(error) => println!("cargo:warning=the program gets no manifest: {error}"),
    }
}

/// The object file that has `manifest` in it.
fn compiled(manifest: &Path) -> Result<String, String> {
    let out = var("OUT_DIR");
    let (script, object) = (format!("{out}/manifest.rc"), format!("{out}/manifest.o"));
    // 24 is the kind of resource that a manifest is, and 1 the number of that of a program.
    let line = format!("1 24 \"{}\"\n", manifest.display().to_string().replace('\\', "/"));
    fs::write(&script, line).map_err(|error| error.to_string())?;
    let windres = match var("HOST").contains("windows") {
        true => "windres".to_owned(),
        false => format!("{}-w64-mingw32-windres", var("CARGO_CFG_TARGET_ARCH")),
    };
    let done = Command::new(&windres).args([&script, &object]).status();
    match done {
        Ok(status) if status.success() => Ok(object),
        Ok(status) => Err(format!("{windres} ended with {status}")),
        Err(error) => Err(format!("{windres}: {error}")),
    }
}

fn var(name: &str) -> String {
    env::var(name).unwrap_or_default()
}
