//! conda's virtual package `__cuda_arch`, defined by CEP 46 on the basis of CEP 30.

use std::fmt;

/// The state of the machine and environment from which the package is derived.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Environment {
    /// Whether a driver that supports CUDA is installed.
    pub driver: bool,
    /// The compute capabilities of the GPUs, as ten times major plus minor.
    pub devices: Vec<u16>,
    /// The value of `CONDA_OVERRIDE_CUDA`, if it is set.
    pub override_cuda: Option<String>,
    /// The value of `CONDA_OVERRIDE_CUDA_ARCH`, if it is set.
    pub override_arch: Option<String>,
}

/// The package: `__cuda_arch=9.0=0`. Its build string is always `0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VirtualPackage {
    /// Major and minor compute capability.
    pub version: String,
}

impl fmt::Display for VirtualPackage {
    /// Name, version and build string, as conda's clients print them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "__cuda_arch={}=0", self.version)
    }
}

/// The package, or the reason why there is none. An override that is not a compute capability is ignored.
///
/// # Errors
/// The reason, in lower case, why the package is absent.
pub fn cuda_arch_package(environment: &Environment) -> Result<VirtualPackage, &'static str> {
    if !has_cuda(environment) {
        return Err("`__cuda` is absent");
    }
    match environment.override_arch.as_deref() {
        Some("") => return Err("`CONDA_OVERRIDE_CUDA_ARCH` is empty"),
        Some(text) if is_capability(text) => return Ok(VirtualPackage { version: text.to_string() }),
        _ => {}
    }
    let lowest = environment.devices.iter().min().ok_or("there is no CUDA device")?;
    Ok(VirtualPackage { version: format!("{}.{}", lowest / 10, lowest % 10) })
}

/// Whether `__cuda` is present: overridden, or the driver supports CUDA. An empty override means absence.
fn has_cuda(environment: &Environment) -> bool {
    match environment.override_cuda.as_deref() {
        Some("") => false,
        Some(text) if text.split('.').all(is_number) => true,
        _ => environment.driver,
    }
}

/// Whether the text has the form `9.0`; a compute capability has no suffix.
pub(super) fn is_capability(text: &str) -> bool {
    text.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the package of a machine with these GPUs and overrides (`None` for one that is not set).
    fn check(devices: &[u16], cuda: Option<&str>, arch: Option<&str>, expected: &str) {
        let environment = Environment {
            driver: true,
            devices: devices.to_vec(),
            override_cuda: cuda.map(Into::into),
            override_arch: arch.map(Into::into),
        };
        let said = cuda_arch_package(&environment)
            .map_or_else(|absent| format!("absent: {absent}"), |package| package.to_string());
        assert_eq!(said, expected);
    }

    #[test]
    fn it_must_be_absent_when_cuda_is() {
        let environment = Environment { devices: vec![90], ..Environment::default() };
        assert_eq!(cuda_arch_package(&environment), Err("`__cuda` is absent"));
        check(&[90], Some(""), None, "absent: `__cuda` is absent");
    }

    #[test]
    fn the_version_must_be_the_lowest_of_all_devices() {
        check(&[90, 75, 120], None, None, "__cuda_arch=7.5=0");
        check(&[120, 121], None, None, "__cuda_arch=12.0=0");
    }

    #[test]
    fn the_version_must_be_major_dot_minor_without_letters() {
        check(&[103], None, None, "__cuda_arch=10.3=0");
        for lettered in ["9.0a", "12.0f", "sm_90"] {
            check(&[75], None, Some(lettered), "__cuda_arch=7.5=0");
        }
    }

    #[test]
    fn the_build_string_must_be_zero() {
        check(&[80], None, None, "__cuda_arch=8.0=0");
        check(&[80], None, Some("9.0"), "__cuda_arch=9.0=0");
    }

    #[test]
    fn it_must_be_present_when_a_device_is_detected() {
        check(&[89], None, None, "__cuda_arch=8.9=0");
        check(&[89], Some("12.4"), None, "__cuda_arch=8.9=0");
    }

    #[test]
    fn it_must_be_absent_without_devices() {
        check(&[], None, None, "absent: there is no CUDA device");
        check(&[], Some("12.4"), None, "absent: there is no CUDA device");
    }

    #[test]
    fn an_override_that_can_be_parsed_must_be_exposed() {
        check(&[80], None, Some("9.0"), "__cuda_arch=9.0=0");
        check(&[], None, Some("10.3"), "__cuda_arch=10.3=0");
    }

    #[test]
    fn an_override_must_not_count_when_cuda_is_absent() {
        check(&[80], Some(""), Some("9.0"), "absent: `__cuda` is absent");
        let environment = Environment { override_arch: Some("9.0".into()), ..Environment::default() };
        assert_eq!(cuda_arch_package(&environment), Err("`__cuda` is absent"));
    }

    #[test]
    fn an_overridden_cuda_is_present_without_a_driver() {
        let environment = Environment {
            override_cuda: Some("12".into()),
            override_arch: Some("9.0".into()),
            ..Environment::default()
        };
        assert_eq!(cuda_arch_package(&environment).map(|package| package.version), Ok("9.0".into()));
    }

    #[test]
    fn it_must_be_absent_under_an_empty_override() {
        check(&[80], None, Some(""), "absent: `CONDA_OVERRIDE_CUDA_ARCH` is empty");
    }

    #[test]
    fn an_override_that_can_not_be_parsed_does_not_count() {
        for garbage in ["90", "9.", ".0", "9.0.1", "nine", " ", "9,0"] {
            check(&[80], None, Some(garbage), "__cuda_arch=8.0=0");
            check(&[], None, Some(garbage), "absent: there is no CUDA device");
        }
    }
}
