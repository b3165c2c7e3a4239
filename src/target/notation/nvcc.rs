//! nvcc's `-arch`, `-code`, `-gencode` and `-dlto`: the device passes that a command runs, and the images it embeds.
//!
//! The meaning of each form, and which forms are errors, was measured on nvcc 11.8 to 13.5 with `--dryrun`;
//! `tests/nvcc_notation.rs` compares this file with the recorded results.

use super::{Context, ParsedTargets, TargetError, TargetList, baseline};
use crate::target::arch::{Arch, Suffix};
use crate::target::foreign::{Foreign, Gfx};
use crate::target::image::ImageKind;

/// The target options of one nvcc command, unparsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NvccOptions {
    /// The value of the last `-arch`, which overrides earlier ones.
    pub arch: Option<String>,
    /// The values of each `-code`: `sm_80,compute_80`.
    pub code: Vec<String>,
    /// The values of each `-gencode`: `arch=compute_80,code=[sm_80,compute_80]`.
    pub gencode: Vec<String>,
    /// `-dlto`.
    pub lto: bool,
    /// `-rdc=true`, `-dc`: without it there is no `lto_80` to ask for.
    pub rdc: bool,
}

/// The kinds of nvcc's target options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NvccOption {
    /// `-arch`.
    Arch,
    /// `-code`.
    Code,
    /// `-gencode`.
    Gencode,
    /// `-dlto`, the only one without a value.
    Lto,
}

/// The spellings of the options, dashes included: short names have one dash and long ones two.
const OPTIONS: &[(&str, NvccOption)] = &[
    ("-arch", NvccOption::Arch),
    ("--gpu-architecture", NvccOption::Arch),
    ("-code", NvccOption::Code),
    ("--gpu-code", NvccOption::Code),
    ("-gencode", NvccOption::Gencode),
    ("--generate-code", NvccOption::Gencode),
    ("-dlto", NvccOption::Lto),
    ("--dlink-time-opt", NvccOption::Lto),
    ("-lto", NvccOption::Lto),
    ("--lto", NvccOption::Lto),
];

/// The target option that a word such as `-gencode=…` or `-gencode` names; `None` for other words.
pub fn nvcc_target_option(word: &str) -> Option<NvccOption> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    OPTIONS.iter().find(|(known, _)| *known == name).map(|(_, option)| *option)
}

/// The values of `-arch` that stand for several architectures.
const WORDS: [&str; 3] = ["all", "all-major", "native"];

impl NvccOptions {
    /// Adds an option with its value.
    pub fn add(&mut self, option: NvccOption, value: &str) {
        match option {
            NvccOption::Arch => self.arch = Some(value.to_string()),
            NvccOption::Code => self.code.push(value.to_string()),
            NvccOption::Gencode => self.gencode.push(value.to_string()),
            NvccOption::Lto => self.lto = true,
        }
    }

    /// Whether no option names a target.
    pub fn is_empty(&self) -> bool {
        self.arch.is_none() && self.gencode.is_empty()
    }
}

/// The device passes and images of a command with these options; the toolkit's default if they name none.
pub fn read_nvcc(options: &NvccOptions, context: &Context) -> ParsedTargets {
    let mut reader = Reader { options, context, parsed: ParsedTargets::default(), family: Vec::new() };
    if let Some(arch) = &options.arch {
        match options.code.is_empty() {
            true => reader.shorthand(arch),
            false => reader.arch_and_code(arch),
        }
    } else if !options.code.is_empty() {
        reader.refuse("`-code` is given without `-arch`", "add `-arch=compute_80`, or use `-gencode`");
    }
    for value in &options.gencode {
        reader.gencode(value);
    }
    if options.lto && !(options.code.is_empty() && options.gencode.is_empty()) {
        reader.refuse(
            "`-dlto` can't be combined with `-code` or `-gencode`",
            "use `code=lto_80` instead of `-dlto`",
        );
    }
    if options.is_empty() {
        reader.plain(Form::Sm, context.toolkit.default_arch());
    }
    reader.family_conflicts();
    reader.parsed
}

/// The three forms of an architecture's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Compute,
    Sm,
    Lto,
}

impl Form {
    const ALL: [(&'static str, Form); 3] =
        [("compute_", Form::Compute), ("sm_", Form::Sm), ("lto_", Form::Lto)];

    fn spell(self, arch: Arch) -> String {
        let (prefix, _) = Form::ALL.into_iter().find(|(_, form)| *form == self).expect("all are there");
        format!("{prefix}{arch}")
    }
}

/// Parses `compute_90a`.
fn name(text: &str) -> Result<(Form, Arch), TargetError> {
    let form = Form::ALL.into_iter().find(|(prefix, _)| text.starts_with(prefix));
    let arch = form.and_then(|(prefix, form)| Some((form, Arch::of_number(&text[prefix.len()..])?)));
    arch.ok_or_else(|| {
        let likely = if text.starts_with(['c', 'C']) { Form::Compute } else { Form::Sm };
        let form = form.map_or(likely, |(_, form)| form);
        let known: Vec<Arch> = Arch::known().collect();
        super::nearest::unknown(text, &known, &WORDS, |arch| form.spell(arch))
    })
}

struct Reader<'a> {
    options: &'a NvccOptions,
    context: &'a Context,
    parsed: ParsedTargets,
    /// The number of each machine code without suffix `a`, and whether it is compiled from family-specific code.
    family: Vec<(u16, bool)>,
}

impl Reader<'_> {
    fn list(&mut self) -> &mut TargetList {
        &mut self.parsed.list
    }

    fn refuse(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.parsed.errors.push(TargetError::new(message, help));
    }

    fn checked<T>(&mut self, result: Result<T, TargetError>) -> Option<T> {
        result.map_err(|error| self.parsed.errors.push(error)).ok()
    }

    /// Handles `-arch` without `-code`.
    fn shorthand(&mut self, value: &str) {
        let toolkit = self.context.toolkit;
        match value {
            "all" => self.several(&Arch::all_of(toolkit)),
            "all-major" => self.several(&Arch::all_major_of(toolkit)),
            "native" => self.native(),
            // SCALE's nvcc accepts AMD's names.
            _ if value.starts_with(Gfx::PREFIX) => match Gfx::parse(value) {
                Some(gfx) => self.list().foreign(Foreign::new(gfx)),
                None => self.refuse(
                    format!("unknown architecture `{value}`"),
                    format!("the nearest is `{}`", Gfx::nearest(value)),
                ),
            },
            _ => {
                if let Some((form, arch)) = self.checked(name(value)) {
                    self.plain(form, arch);
                }
            }
        }
    }

    /// `-arch=sm_80` embeds machine code and PTX, `compute_80` PTX only. For an `a` or `f` target, both the target
    /// and the baseline of the same number are compiled, the latter to PTX only.
    fn plain(&mut self, form: Form, arch: Arch) {
        let lto = self.options.lto;
        let list = self.list();
        if arch.suffix != Suffix::None {
            list.pass(baseline(arch));
            match form {
                Form::Lto => list.image(ImageKind::Lto, baseline(arch)),
                Form::Sm | Form::Compute => list.image(ImageKind::Ptx, baseline(arch)),
            }
            if lto {
                list.image(ImageKind::Lto, baseline(arch));
            }
        }
        list.pass(arch);
        if form == Form::Sm && !lto {
            list.image(ImageKind::Elf, arch);
        }
        if form != Form::Lto {
            list.image(ImageKind::Ptx, arch);
        }
        if form == Form::Lto || lto {
            list.image(ImageKind::Lto, arch);
        }
    }

    /// `all`, `all-major`: machine code for each architecture, PTX for the lowest of the highest major version.
    fn several(&mut self, archs: &[Arch]) {
        let kind = if self.options.lto { ImageKind::Lto } else { ImageKind::Elf };
        let highest = archs.iter().map(|arch| arch.number / 10).max();
        let ptx = archs.iter().find(|arch| Some(arch.number / 10) == highest);
        for arch in archs {
            self.list().pass(*arch);
            self.list().image(kind, *arch);
        }
        if let Some(arch) = ptx {
            self.list().image(ImageKind::Ptx, *arch);
        }
    }

    /// The GPUs of this machine; without any, nvcc warns and uses its default.
    fn native(&mut self) {
        let present = (self.context.devices)();
        let known = Arch::known().filter(|arch| present.contains(&arch.number));
        let devices: Vec<Arch> = known.filter(|arch| arch.suffix == Suffix::None).collect();
        match devices.is_empty() {
            true => self.plain(Form::Sm, self.context.toolkit.default_arch()),
            false => devices.into_iter().for_each(|arch| {
                self.list().pass(arch);
                self.list().image(ImageKind::Elf, arch);
            }),
        }
    }

    /// `-arch=compute_80 -code=sm_80,sm_86`.
    fn arch_and_code(&mut self, value: &str) {
        if WORDS.contains(&value) {
            let message = format!("`-arch={value}` can't be combined with `-code`");
            return self.refuse(message, "leave out `-code`, or name a single architecture");
        }
        let codes: Vec<String> = self
            .options
            .code
            .iter()
            .flat_map(|list| list.split(','))
            .map(|code| code.trim().into())
            .collect();
        self.pair(value, &codes, &format!("-arch={value}"));
    }

    /// `-gencode arch=compute_80,code=[sm_80,compute_80]`.
    fn gencode(&mut self, value: &str) {
        let help = "write `-gencode arch=compute_80,code=[sm_80,compute_80]`";
        let (mut arch, mut code) = (None, None);
        for (keyword, list) in keywords(value) {
            let place = match keyword.as_str() {
                "arch" => &mut arch,
                "code" => &mut code,
                "" => {
                    let message = format!("`{list}` in `-gencode {value}` is not `keyword=value`");
                    return self.refuse(message, help);
                }
                other => {
                    let message = format!("unknown keyword `{other}` in `-gencode {value}`");
                    return self.refuse(message, help);
                }
            };
            if place.replace(list).is_some() {
                return self.refuse(format!("`{keyword}` is given twice in `-gencode {value}`"), help);
            }
        }
        match (arch, code) {
            (Some(arch), Some(code)) => {
                let codes: Vec<String> = code.split(',').map(str::to_string).collect();
                self.pair(&arch, &codes, &format!("-gencode {value}"));
            }
            (None, _) => self.refuse(format!("`-gencode {value}` names no `arch`"), help),
            (_, None) => self.refuse(format!("`-gencode {value}` names no `code`"), help),
        }
    }

    /// One virtual architecture and the images compiled from it.
    fn pair(&mut self, arch: &str, codes: &[String], spelled: &str) {
        let Some((form, arch)) = self.checked(name(arch)) else { return };
        let spelled_arch = form.spell(arch);
        if form == Form::Sm {
            let message = format!("`{spelled_arch}` in `{spelled}` is not a virtual architecture");
            return self.refuse(message, format!("write `arch={}`", Form::Compute.spell(arch)));
        }
        self.list().pass(arch);
        for code in codes {
            let Some((code_form, code_arch)) = self.checked(name(code)) else { continue };
            if !can_compile((form, arch), (code_form, code_arch)) {
                let message = format!("`{code}` can't be compiled from `{spelled_arch}` in `{spelled}`");
                self.refuse(message, compiles_to(arch));
                continue;
            }
            if code_form == Form::Lto && !self.options.rdc {
                let message = format!("`{code}` needs `-rdc=true`");
                self.refuse(message, "link-time optimisation needs separate compilation: add `-dc`");
                continue;
            }
            let of_family = arch.suffix == Suffix::F && code_arch.suffix == Suffix::None;
            let embedded = if of_family { Arch { suffix: Suffix::F, ..code_arch } } else { code_arch };
            if code_form == Form::Sm && code_arch.suffix != Suffix::A {
                self.family.push((code_arch.number, embedded.suffix == Suffix::F));
            }
            let kind = match code_form {
                Form::Compute => ImageKind::Ptx,
                Form::Sm => ImageKind::Elf,
                Form::Lto => ImageKind::Lto,
            };
            self.list().image(kind, embedded);
        }
    }

    /// Reports real architectures that are compiled both from family-specific and from baseline code.
    fn family_conflicts(&mut self) {
        let both: Vec<u16> = self
            .family
            .iter()
            .filter(|(number, of_family)| *of_family && self.family.contains(&(*number, false)))
            .map(|(number, _)| *number)
            .collect();
        for number in both {
            self.refuse(
                format!("`sm_{number}` is compiled from both a family-specific and a baseline virtual architecture"),
                "leave out one of the two",
            );
        }
    }
}

/// Whether nvcc can compile this code from that virtual architecture.
fn can_compile((form, arch): (Form, Arch), (code_form, code): (Form, Arch)) -> bool {
    match (code_form, arch.suffix, code.suffix) {
        (Form::Compute, _, _) => form == Form::Compute && code == arch,
        (_, Suffix::None, _) | (_, Suffix::A | Suffix::F, Suffix::A) => code.number >= arch.number,
        (_, Suffix::A, _) => false,
        (Form::Lto, Suffix::F, Suffix::None) => false,
        (_, Suffix::F, _) => arch.family_has(code.number),
    }
}

fn compiles_to(arch: Arch) -> String {
    match arch.suffix {
        Suffix::None => {
            format!("`{}` compiles to itself and to `sm_{}` and later", arch.compute_name(), arch.number)
        }
        Suffix::A => format!("`{}` compiles to itself and to `{}`", arch.compute_name(), arch.sm_name()),
        Suffix::F => {
            let family = Arch::known().filter(|one| one.suffix == Suffix::None);
            let family =
                family.filter(|one| arch.family_has(one.number)).map(|one| format!("`{}`", one.sm_name()));
            format!(
                "`{}` compiles to itself and to {}",
                arch.compute_name(),
                family.collect::<Vec<_>>().join(", ")
            )
        }
    }
}

/// Splits `arch=a,code=[b,c]` into keywords and values. Commas inside brackets and quotes do not separate. A part
/// that is not `keyword=value` gets the empty keyword.
fn keywords(value: &str) -> Vec<(String, String)> {
    let mut parts = vec![String::new()];
    let mut inside = false;
    for c in value.chars() {
        match c {
            '[' | ']' => inside = c == '[',
            '"' => inside = !inside,
            ',' if !inside => parts.push(String::new()),
            '\\' => {}
            _ => parts.last_mut().expect("it starts with one").push(c),
        }
    }
    let part = |part: &String| match part.split_once('=') {
        Some((keyword, value)) => (keyword.trim().to_string(), value.trim().to_string()),
        None => (String::new(), part.clone()),
    };
    parts.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &str) -> NvccOptions {
        let mut options = NvccOptions { rdc: words.contains("-dc"), ..NvccOptions::default() };
        for word in words.split_whitespace() {
            if let Some(option) = nvcc_target_option(word) {
                options.add(option, word.split_once('=').map_or("", |(_, value)| value));
            }
        }
        options
    }

    fn refused(words: &str, expected: &str) {
        let parsed = read_nvcc(&options(words), &Context::default());
        let errors: Vec<String> =
            parsed.errors.iter().map(|error| format!("{error}; {}", error.help)).collect();
        assert_eq!(errors.join(" | "), expected, "{words}");
    }

    #[test]
    fn what_is_wrong_is_named_with_the_nearest_right_name() {
        let list = "`cuda-arch-lint targets --list` lists all";
        let unknown = |name: &str, near: &str| {
            format!("unknown architecture `{name}`; the nearest is `{near}`; {list}")
        };
        refused("-arch=sm_81", &unknown("sm_81", "sm_80"));
        refused("-arch=sm_80a", &unknown("sm_80a", "sm_80"));
        refused("-arch=sm_90f", &unknown("sm_90f", "sm_90"));
        refused("-arch=compute_101b", &unknown("compute_101b", "compute_101"));
        refused("-arch=SM_80", &unknown("SM_80", "sm_80"));
        refused("-arch=90A", &unknown("90A", "sm_90a"));
        refused("-arch=gfx1105", "unknown architecture `gfx1105`; the nearest is `gfx1100`");
        refused("-arch=all-majr", &unknown("all-majr", "all-major"));
        refused("-arch=nativ", &unknown("nativ", "native"));
        refused("-arch=compute_80,compute_90", &unknown("compute_80,compute_90", "compute_80"));
        refused("-gencode=arch=compute_75,code=sm_76", &unknown("sm_76", "sm_75"));
        refused("-gencode=arch=compute_999,code=sm_75", &unknown("compute_999", "compute_121"));
        refused("-arch=hopper", &unknown("hopper", "sm_90"));
        refused(
            "-arch=fastest",
            "unknown architecture `fastest`; `cuda-arch-lint targets --list` lists the known ones",
        );
    }

    /// SCALE's compiler accepts AMD's names beside nvcc's.
    #[test]
    fn amd_s_names_are_taken_as_they_are() {
        let list = read_nvcc(&options("-arch=gfx1100"), &Context::default()).strict().unwrap();
        assert_eq!(list.foreign, [Foreign::new(Gfx::parse("gfx1100").unwrap())]);
        assert!(list.passes.is_empty() && list.images.is_empty());
    }

    #[test]
    fn what_is_missing_is_named() {
        let form = "write `-gencode arch=compute_80,code=[sm_80,compute_80]`";
        refused("-gencode=arch=compute_80", &format!("`-gencode arch=compute_80` names no `code`; {form}"));
        refused("-gencode=code=sm_80", &format!("`-gencode code=sm_80` names no `arch`; {form}"));
        refused(
            "-gencode=arch=compute_80,code=sm_80,compute_80",
            &format!(
                "`compute_80` in `-gencode arch=compute_80,code=sm_80,compute_80` is not `keyword=value`; {form}"
            ),
        );
        refused("-code=sm_80", "`-code` is given without `-arch`; add `-arch=compute_80`, or use `-gencode`");
    }

    #[test]
    fn what_can_not_be_made_is_named_with_what_can() {
        refused(
            "-arch=compute_90a -code=sm_90",
            "`sm_90` can't be compiled from `compute_90a` in `-arch=compute_90a`; `compute_90a` compiles to itself and to `sm_90a`",
        );
        refused(
            "-gencode=arch=compute_100f,code=sm_110",
            "`sm_110` can't be compiled from `compute_100f` in `-gencode arch=compute_100f,code=sm_110`; \
             `compute_100f` compiles to itself and to `sm_100`, `sm_103`, `sm_107`",
        );
        refused(
            "-arch=sm_80 -code=sm_80",
            "`sm_80` in `-arch=sm_80` is not a virtual architecture; write `arch=compute_80`",
        );
    }

    #[test]
    fn native_is_what_the_machine_has() {
        let context = Context { devices: || vec![80, 90], ..Context::default() };
        let list = read_nvcc(&options("-arch=native"), &context).strict().unwrap();
        assert_eq!(list.passes, [Arch::plain(80), Arch::plain(90)]);
        assert_eq!(list.images.iter().map(ToString::to_string).collect::<Vec<_>>(), ["sm_80", "sm_90"]);
    }

    #[test]
    fn the_passes_of_other_toolkits_are_theirs() {
        let passes = |release: &str, words: &str| {
            let context =
                Context { toolkit: crate::target::Toolkit::parse(release).unwrap(), ..Context::default() };
            let list = read_nvcc(&options(words), &context).list;
            list.passes.iter().map(|arch| arch.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(passes("12.4", ""), "52");
        assert_eq!(passes("12.4", "-arch=all-major"), "50 60 70 80 90");
        assert_eq!(passes("11.8", "-arch=all"), "35 37 50 52 53 60 61 62 70 72 75 80 86 87 89 90");
        assert_eq!(passes("13.5", "-arch=all-major"), "75 80 90 100 110 120");
    }
}
