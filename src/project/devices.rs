//! The NVIDIA GPUs of this machine, from the driver's management library (NVML).

use nvml_wrapper::Nvml;

/// The CUDA version that the driver supports and the compute capabilities of its GPUs. `None` without a driver that
/// supports CUDA. A GPU whose capability can't be queried is left out.
pub fn driver() -> Option<Driver> {
    let nvml = Nvml::init().ok()?;
    let version = nvml.sys_cuda_driver_version().ok()?;
    let count = nvml.device_count().unwrap_or(0);
    let capability = |index: u32| {
        let found = nvml.device_by_index(index).ok()?.cuda_compute_capability().ok()?;
        u16::try_from(found.major * 10 + found.minor).ok()
    };
    let mut devices: Vec<u16> = (0..count).filter_map(capability).collect();
    devices.sort_unstable();
    Some(Driver { version: (version / 1000, version % 1000 / 10), devices })
}

/// An NVIDIA driver and its GPUs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// The newest CUDA release that it supports: major and minor.
    pub version: (i32, i32),
    /// The compute capability of each GPU, ten times major plus minor, ascending.
    pub devices: Vec<u16>,
}

/// The compute capabilities of the GPUs, without repetition.
pub(super) fn devices() -> Vec<u16> {
    let mut devices = driver().map_or(Vec::new(), |driver| driver.devices);
    devices.dedup();
    devices
}
