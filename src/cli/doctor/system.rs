//! Which system this is, and of which family: what its packages are called depends on that.

/// Systems whose packages have the same names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Debian, Ubuntu and what is made from them.
    Debian,
    /// Fedora, RHEL and what is made from them.
    Fedora,
    /// Arch and what is made from it.
    Arch,
    /// Any other.
    Other,
}

/// A system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// What it calls itself.
    pub name: String,
    /// Its family.
    pub family: Family,
}

impl System {
    /// The one that this program runs on.
    pub fn this() -> Self {
        let named = |name: &str| Self { name: name.to_owned(), family: Family::Other };
        match std::env::consts::OS {
            "windows" => named("Windows"),
            "macos" => named("macOS"),
            other => {
                let mut places = ["/etc/os-release", "/usr/lib/os-release"].into_iter();
                let release = places.find_map(|path| std::fs::read_to_string(path).ok());
                release.map_or_else(|| named(other), |release| Self::released(&release))
            }
        }
    }

    /// The one that describes itself so in a file `os-release` (systemd, os-release(5)): lines like `ID=debian`, of which some
    /// have quotes around what they say.
    fn released(release: &str) -> Self {
        let value = |key: &str| {
            let mut lines = release.lines().filter_map(|line| line.trim().split_once('='));
            let (_, value) = lines.find(|&(name, _)| name == key)?;
            Some(value.trim().trim_matches(['"', '\''])).filter(|value| !value.is_empty())
        };
        let ids = value("ID").into_iter().chain(value("ID_LIKE"));
        // What it is itself comes first.
        let family = ids.flat_map(str::split_whitespace).find_map(|id| match id {
            "debian" | "ubuntu" => Some(Family::Debian),
            "fedora" | "rhel" | "centos" => Some(Family::Fedora),
            "arch" | "archlinux" => Some(Family::Arch),
            _ => None,
        });
        let name = value("PRETTY_NAME").or(value("NAME")).unwrap_or("a Linux without a name");
        Self { name: name.to_owned(), family: family.unwrap_or(Family::Other) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(release: &str, name: &str, family: Family) {
        assert_eq!(System::released(release), System { name: name.to_owned(), family });
    }

    #[test]
    fn debian_ubuntu_fedora_and_arch_are_told_by_their_own_files() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\n\
                      VERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\nID=debian\n\
                      HOME_URL=\"https://www.debian.org/\"\n";
        is(debian, "Debian GNU/Linux 12 (bookworm)", Family::Debian);
        let ubuntu = "PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\n\
                      VERSION_CODENAME=noble\nID=ubuntu\nID_LIKE=debian\nUBUNTU_CODENAME=noble\n";
        is(ubuntu, "Ubuntu 24.04.1 LTS", Family::Debian);
        let fedora = "NAME=\"Fedora Linux\"\nVERSION=\"41 (Workstation Edition)\"\nID=fedora\n\
                      VERSION_ID=41\nPRETTY_NAME=\"Fedora Linux 41 (Workstation Edition)\"\n\
                      ANSI_COLOR=\"0;38;2;60;110;180\"\nVARIANT_ID=workstation\n";
        is(fedora, "Fedora Linux 41 (Workstation Edition)", Family::Fedora);
        let arch = "NAME=\"Arch Linux\"\nPRETTY_NAME=\"Arch Linux\"\nID=arch\nBUILD_ID=rolling\n";
        is(arch, "Arch Linux", Family::Arch);
    }

    #[test]
    fn what_is_made_from_another_system_is_of_its_family() {
        is(
            "NAME='Linux Mint'\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n",
            "Linux Mint",
            Family::Debian,
        );
        let rocky =
            "PRETTY_NAME=\"Rocky Linux 9.4\"\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n";
        is(rocky, "Rocky Linux 9.4", Family::Fedora);
        is("NAME=EndeavourOS\nID=endeavouros\nID_LIKE=arch\n", "EndeavourOS", Family::Arch);
    }

    #[test]
    fn a_system_that_nobody_knows_has_its_name_and_no_family() {
        is(
            "ID=nixos\nPRETTY_NAME=\"NixOS 24.11 (Vicuna)\"\n",
            "NixOS 24.11 (Vicuna)",
            Family::Other,
        );
        for empty in ["", "ID=\nNAME=\n", "no lines of that kind", "=\n=="] {
            is(empty, "a Linux without a name", Family::Other);
        }
    }
}
