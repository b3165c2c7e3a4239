//! The NVIDIA GPUs of this machine, as the driver's management library (NVML) tells them.

use nvml_wrapper::Nvml;

/// The driver: the CUDA version it supports and the compute capabilities of the GPUs that it has. `None`
/// without a driver that has CUDA. One that does not tell a GPU's capability leaves that GPU out.
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

/// A driver and its GPUs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// The newest CUDA release that it supports, major and minor.
    pub version: (i32, i32),
    /// The compute capability of each GPU, ten times major plus minor, ascending.
    pub devices: Vec<u16>,
}

/// The GPUs alone, each capability once.
pub(super) fn devices() -> Vec<u16> {
    let mut devices = driver().map_or(Vec::new(), |driver| driver.devices);
    devices.dedup();
    devices
}
