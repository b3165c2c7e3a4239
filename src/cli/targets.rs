//! The command `targets`: prints the targets in force.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use crate::finding::Level;
use crate::project::{ProjectProblem, Recipe, Settings, TargetOrigin, discover, driver, requested_targets};
use crate::rules::{ARCH_BOUND, card, check_list, level_name, unread};
use crate::source::Sources;
use crate::target::{
    Arch, CudaCompiler, Environment, Fault, Image, ImageKind, Options, Pass, TargetList, Toolkit,
    cuda_arch_package, mismatch, predefined,
};

use super::arguments::TargetsArguments;
use super::one_run::origin;
use super::resolve::settings_and_source;
use super::{Failure, exit_code};

/// Runs the command. Defects of the list of targets that are more than advice count as findings for the exit code.
pub(super) fn targets(arguments: &TargetsArguments) -> Result<u8, Failure> {
    let mut out = stdout().lock();
    if arguments.virtual_package {
        return virtual_package(&mut out);
    }
    if arguments.list {
        write!(out, "{}", known())?;
        return Ok(exit_code::CLEAN);
    }
    let (settings, arch) = settings_and_source(&arguments.build)?;
    let (groups, problems) = groups(arguments, &settings)?;
    let mut faults = 0;
    for (index, group) in groups.iter().enumerate() {
        let found = group.faults();
        faults += found.iter().filter(|(rule, ..)| level(rule) >= Level::Warning).count();
        let gap = if index > 0 { "\n" } else { "" };
        write!(out, "{gap}{}{}", group.describe(&arch), describe_faults(&found))?;
    }
    let mut err = stderr().lock();
    for problem in &problems {
        // Ignores a closed standard error, since nobody reads it.
        let _ = writeln!(err, "{}: {}", problem.path.display(), problem.message);
    }
    Ok(match (problems.is_empty(), faults) {
        (false, _) => exit_code::INCOMPLETE,
        (true, 0) => exit_code::CLEAN,
        (true, _) => exit_code::FINDINGS,
    })
}

/// Prints conda's virtual package as conda's clients do, or on standard error the reason why there is none.
fn virtual_package(out: &mut impl Write) -> Result<u8, Failure> {
    let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let driver = driver();
    let environment = Environment {
        driver: driver.is_some(),
        devices: driver.map_or(Vec::new(), |driver| driver.devices),
        override_cuda: variable("CONDA_OVERRIDE_CUDA"),
        override_arch: variable("CONDA_OVERRIDE_CUDA_ARCH"),
    };
    match cuda_arch_package(&environment) {
        Ok(package) => writeln!(out, "{package}")?,
        Err(absent) => {
            let _ = writeln!(stderr().lock(), "`__cuda_arch` is absent: {absent}");
        }
    }
    Ok(exit_code::CLEAN)
}

/// One line per known target.
fn known() -> String {
    let mut rows = vec![["target", "__CUDA_ARCH__", "PTX", "CUDA", "GPUs"].map(String::from)];
    for arch in Arch::known() {
        let release = |(major, minor): (u32, u32)| format!("{major}.{minor}");
        let first = arch.first_release().map_or(String::new(), release);
        let last = arch.last_release().map_or("…".to_string(), |last| format!("… {}", release(last)));
        let isa = arch.isa().map_or(String::new(), |isa| isa.to_string());
        let value = arch.cuda_arch().to_string();
        rows.push([arch.sm_name(), value, isa, format!("{first} {last}"), arch.gpus().to_string()]);
    }
    table(&rows)
}

/// The units with the same targets.
struct Group {
    list: TargetList,
    options: Options,
    origin: TargetOrigin,
    /// The number of units; 0 if only `--arch` was read.
    units: usize,
    /// The project's conda recipes.
    recipes: Arc<Vec<Recipe>>,
}

/// The groups, the largest first. Files that could not be read are reported.
fn groups(
    arguments: &TargetsArguments,
    settings: &Settings,
) -> Result<(Vec<Group>, Vec<ProjectProblem>), Failure> {
    if arguments.paths.is_empty() && !arguments.build.arch.is_empty() {
        let requested = requested_targets(settings)?;
        let options = Options { cuda: CudaCompiler::Nvcc(requested.toolkit), ..Options::default() };
        let group = Group {
            list: requested.list,
            options,
            origin: TargetOrigin::CommandLine,
            units: 0,
            recipes: Arc::default(),
        };
        return Ok((vec![group], Vec::new()));
    }
    let paths = match arguments.paths.as_slice() {
        [] => vec![PathBuf::from(".")],
        paths => paths.to_vec(),
    };
    let project = discover(&paths, settings, &Sources::new())?;
    let mut groups: Vec<Group> = Vec::new();
    let units = if project.units.is_empty() { &project.headers } else { &project.units };
    for unit in units {
        let same = |group: &&mut Group| {
            (&group.list, &group.options.cuda, &group.origin)
                == (&unit.targets, &unit.options.cuda, &unit.origin)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.units += 1,
            None => groups.push(Group {
                list: unit.targets.clone(),
                options: unit.options.clone(),
                origin: unit.origin.clone(),
                units: 1,
                recipes: project.recipes.clone(),
            }),
        }
    }
    groups.sort_by_key(|group| Reverse(group.units));
    Ok((groups, project.problems))
}

impl Group {
    fn toolkit(&self) -> Option<Toolkit> {
        match self.options.cuda {
            CudaCompiler::Nvcc(toolkit) => Some(toolkit),
            CudaCompiler::Clang => None,
        }
    }

    fn describe(&self, arch: &str) -> String {
        let units = match self.units {
            0 => String::new(),
            1 => "1 unit, ".to_string(),
            many => format!("{many} units, "),
        };
        let compiler = self.toolkit().map_or("clang".to_string(), |toolkit| format!("CUDA {toolkit}"));
        let mut text = format!("{units}targets from {}, {compiler}\n", origin(&self.origin, arch));
        if !self.list.is_empty() {
            let _ = write!(text, "\n{}", self.passes());
        }
        if !self.list.passes.is_empty() {
            let _ = write!(text, "\n{}", self.devices());
        }
        if !self.list.mapped.is_empty() {
            let mapped =
                self.list.mapped.iter().map(|(arch, gfx)| format!("{} for {gfx}", arch.compute_name()));
            let mapped = mapped.collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "\ncompiled for AMD GPUs by a ccmap: {mapped}");
        }
        let foreign: Vec<String> = self.list.foreign.iter().map(|one| one.gpu.to_string()).collect();
        if !foreign.is_empty() {
            let _ = writeln!(text, "\nmachine code for AMD GPUs: {}", foreign.join(", "));
        }
        text
    }

    /// One line per pass: the macros that it alone predefines, and the first lines of its PTX.
    fn passes(&self) -> String {
        let Ok(passes) = self.list.to_passes() else { return String::new() };
        let macros = predefined(&passes, &self.options);
        let mut rows = vec![["pass", "PTX", "predefined"].map(String::from)];
        for (index, pass) in passes.list().iter().enumerate() {
            let own =
                macros.iter().filter(|one| one.passes.has(index) && one.name.starts_with("__CUDA_ARCH"));
            let own = own.filter(|one| one.passes != passes.all());
            let own: Vec<String> = own.map(|one| format!("{}={}", one.name, one.value)).collect();
            let isa = self.toolkit().unwrap_or_default().isa();
            let (name, ptx) = match pass {
                Pass::Host => continue,
                Pass::Device(arch) => {
                    (arch.compute_name(), format!(".version {isa} .target {}", arch.sm_name()))
                }
                Pass::Foreign(foreign) => (foreign.gpu.to_string(), "none".to_string()),
            };
            rows.push([name, ptx, own.join(" ")]);
        }
        table(&rows)
    }

    /// The embedded images, and one line per GPU that the toolkit knows: the image that it runs.
    fn devices(&self) -> String {
        let images: Vec<String> = self.list.images.iter().map(ToString::to_string).collect();
        let mut rows = vec![["GPU", "", "runs"].map(String::from)];
        let mut runs: BTreeMap<u16, Vec<Image>> = BTreeMap::new();
        let named = self.list.passes.iter().map(|arch| arch.number);
        let known = Arch::all_of(self.toolkit().unwrap_or_default()).into_iter().map(|arch| arch.number);
        for number in known.chain(named) {
            runs.insert(number, best(&self.list.images, number));
        }
        for (number, images) in runs {
            let arch = Arch::plain(number);
            let names = images.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
            let what = match images.first() {
                None => "nothing".to_string(),
                Some(image) if image.kind == ImageKind::Ptx => format!("{names}, compiled by the driver"),
                Some(_) => names,
            };
            rows.push([arch.capability(), arch.gpus().to_string(), what]);
        }
        format!("embedded: {}\n\n{}", images.join(" "), table(&rows))
    }

    /// The defects of the list: the rule, the place in a recipe if there is one, and the defect.
    fn faults(&self) -> Vec<(&'static str, String, Fault)> {
        // The default list was chosen by nobody, so it is not reported.
        if !self.origin.is_chosen() {
            return Vec::new();
        }
        let toolkit = self.toolkit().unwrap_or_default();
        // The rules about toolkits do not apply to clang.
        let found = check_list(&self.list, self.toolkit()).into_iter();
        let mut faults: Vec<(&str, String, Fault)> =
            found.map(|(rule, fault)| (rule, String::new(), fault)).collect();
        for recipe in self.recipes.iter() {
            let place = |line: usize| format!("{}:{line}: ", recipe.path.display());
            for bound in &recipe.bounds {
                let found = mismatch(&self.list, bound, toolkit).into_iter();
                faults.extend(found.map(|fault| (ARCH_BOUND, place(bound.line), fault)));
            }
            let unread = recipe.unread.iter().map(|(line, text)| (ARCH_BOUND, place(*line), unread(text)));
            faults.extend(unread);
        }
        faults
    }
}

/// The images that a GPU prefers: machine code before PTX, then the highest architecture that it can run; several if
/// they differ only in their suffixes.
fn best(images: &[Image], device: u16) -> Vec<Image> {
    let order = |image: &Image| (image.kind == ImageKind::Elf, image.arch.number);
    let running: Vec<Image> = images.iter().filter(|image| image.runs_on(device)).copied().collect();
    let highest = running.iter().map(order).max();
    running.into_iter().filter(|image| Some(order(image)) == highest).collect()
}

/// The level of a rule's findings.
fn level(rule: &str) -> Level {
    card(rule).map_or(Level::Warning, |card| card.level)
}

fn describe_faults(faults: &[(&str, String, Fault)]) -> String {
    let mut text = String::new();
    for (rule, place, Fault { message, help, .. }) in faults {
        let level = level_name(level(rule));
        let _ = write!(text, "\n{place}{level}[{rule}]: {message}\n  help: {help}\n");
    }
    text
}

/// Rows as text in columns, two blanks apart.
fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
