//! What to install, by the names that distributions have for it.

use super::system::Family;

/// Some packages, as one command installs them.
pub struct Packages {
    debian: &'static str,
    fedora: &'static str,
    arch: &'static str,
}

/// What the program is built with, if it is to have a desktop. The names are those in `scripts/setup.sh`.
#[cfg(any(test, not(feature = "desktop")))]
pub const BUILD: Packages = Packages {
    debian: "gcc libc6-dev pkg-config libclang-dev libpipewire-0.3-dev libwayland-dev libegl-dev \
             libgbm-dev libxcb1-dev",
    fedora: "gcc pkgconf-pkg-config clang-devel pipewire-devel wayland-devel mesa-libEGL-devel \
             mesa-libgbm-devel libxcb-devel",
    arch: "gcc pkgconf clang libpipewire wayland libglvnd mesa libxcb",
};

/// An X server without a monitor, and a window manager for it.
pub const VIRTUAL_DISPLAY: Packages = Packages {
    debian: "xvfb openbox",
    fedora: "xorg-x11-server-Xvfb openbox",
    arch: "xorg-server-xvfb openbox",
};

/// An X server that is a window of another desktop, and a window manager for it.
pub const NESTED_DISPLAY: Packages = Packages {
    debian: "xserver-xephyr openbox",
    fedora: "xorg-x11-server-Xephyr openbox",
    arch: "xorg-server-xephyr openbox",
};

/// A window manager.
pub const WINDOW_MANAGER: Packages =
    Packages { debian: "openbox", fedora: "openbox", arch: "openbox" };

/// The X server of Wayland desktops.
pub const XWAYLAND: Packages =
    Packages { debian: "xwayland", fedora: "xorg-x11-server-Xwayland", arch: "xorg-xwayland" };

/// What hands out pictures of a Wayland desktop; each desktop has a part of its own beside it.
pub const PORTAL: Packages = Packages {
    debian: "xdg-desktop-portal pipewire",
    fedora: "xdg-desktop-portal pipewire",
    arch: "xdg-desktop-portal pipewire",
};

/// A Minesweeper of which a skin is shipped.
pub const GAME: Packages =
    Packages { debian: "gnome-mines", fedora: "gnome-mines", arch: "gnome-mines" };

impl Packages {
    /// How they are installed on such a system.
    pub fn install(&self, on: Family) -> String {
        let Self { debian, fedora, arch } = self;
        match on {
            Family::Debian => format!("sudo apt install {debian}"),
            Family::Fedora => format!("sudo dnf install {fedora}"),
            Family::Arch => format!("sudo pacman -S {arch}"),
            Family::Other if debian == fedora && fedora == arch => {
                format!("install {debian}, by the name that it has here")
            }
            Family::Other => format!(
                "install what is called {debian} (Debian), {fedora} (Fedora) or {arch} (Arch)"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_has_its_own_command_and_names() {
        assert_eq!(XWAYLAND.install(Family::Debian), "sudo apt install xwayland");
        assert_eq!(XWAYLAND.install(Family::Fedora), "sudo dnf install xorg-x11-server-Xwayland");
        assert_eq!(XWAYLAND.install(Family::Arch), "sudo pacman -S xorg-xwayland");
        let other = XWAYLAND.install(Family::Other);
        for name in
            ["xwayland (Debian)", "xorg-x11-server-Xwayland (Fedora)", "xorg-xwayland (Arch)"]
        {
            assert!(other.contains(name), "{other}");
        }
        assert_eq!(
            GAME.install(Family::Other),
            "install gnome-mines, by the name that it has here"
        );
    }

    #[test]
    fn what_a_build_needs_is_what_the_setup_script_installs() {
        let script = include_str!("../../../scripts/setup.sh");
        let lists = script.split("build=(\n").skip(1).map(|rest| {
            let (list, _) = rest.split_once("\n        )").unwrap();
            let code = list.lines().map(|line| line.split('#').next().unwrap_or_default());
            code.flat_map(str::split_whitespace).collect::<Vec<_>>()
        });
        let named = [BUILD.fedora, BUILD.arch, BUILD.debian];
        assert_eq!(
            lists.collect::<Vec<_>>(),
            named.map(|names| names.split(' ').collect::<Vec<_>>())
        );
    }
}
