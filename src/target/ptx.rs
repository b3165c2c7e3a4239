//! PTX instructions that only some targets have, recognised in inline assembly; and the toolkit's device functions
//! that are compiled to them.

use std::sync::LazyLock;

use super::arch::Arch;

/// The table of instructions.
const TABLE: &str = include_str!("ptx.tsv");

/// The table of functions.
const FUNCTIONS: &str = include_str!("intrinsics.tsv");

/// A row of either table.
#[derive(Debug)]
pub struct Instruction {
    /// The beginning of an opcode and further parts it must have: `mma.sync kind::mxf4`. A special register if it
    /// begins with `%`. For a function, its name.
    pub pattern: &'static str,
    /// The targets that have it.
    targets: Targets,
    /// A statement that ptxas accepts exactly where it accepts the instruction.
    pub example: &'static str,
}

#[derive(Debug)]
enum Targets {
    /// Every target from this number on.
    From(u16),
    /// Exactly these targets.
    Only(Vec<Arch>),
}

static INSTRUCTIONS: LazyLock<Vec<Instruction>> = LazyLock::new(|| rows(TABLE));

static INTRINSICS: LazyLock<Vec<Instruction>> = LazyLock::new(|| rows(FUNCTIONS));

fn rows(table: &'static str) -> Vec<Instruction> {
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| row(line).expect("the table is well formed")).collect()
}

fn row(line: &'static str) -> Option<Instruction> {
    let mut columns = line.split('\t');
    let (pattern, targets, example) = (columns.next()?, columns.next()?, columns.next()?);
    let targets = match targets.strip_suffix('+') {
        Some(number) => Targets::From(number.parse().ok()?),
        None => Targets::Only(targets.split(' ').map(Arch::of_number).collect::<Option<_>>()?),
    };
    Some(Instruction { pattern, targets, example })
}

/// All rows of the table of instructions.
pub fn instructions() -> &'static [Instruction] {
    &INSTRUCTIONS
}

/// All rows of the table of functions.
pub fn intrinsics() -> &'static [Instruction] {
    &INTRINSICS
}

/// The instruction behind a call of a device function, if some target since sm_50 lacks it. A function in scope
/// `ptx::` is CCCL's wrapper (libcu++, `<cuda/ptx>`) of the instruction with the same name.
pub fn needed_by_call(name: &str, scope: Option<&str>) -> Option<Needed> {
    let rows: Vec<&'static Instruction> = match scope {
        Some("ptx") => {
            let parts: Vec<&str> = name.split('_').collect();
            INSTRUCTIONS.iter().filter(|row| row.is_wrapped_by(&parts)).collect()
        }
        _ => INTRINSICS.iter().filter(|row| row.pattern == name).collect(),
    };
    (!rows.is_empty()).then(|| Needed { written: name.to_string(), rows })
}

impl Instruction {
    /// Whether a target has it.
    pub fn on(&self, arch: Arch) -> bool {
        match &self.targets {
            Targets::From(number) => arch.number >= *number,
            Targets::Only(archs) => archs.contains(&arch),
        }
    }

    /// The least restrictive way to name the targets that have it: the first baseline, or those with a suffix.
    pub fn narrowest(&self) -> Vec<Arch> {
        match &self.targets {
            Targets::From(number) => vec![Arch::plain(*number)],
            Targets::Only(archs) => archs.clone(),
        }
    }

    /// Whether a wrapper's name, split at underscores, is that of the opcode: `cp_async_bulk_tensor` for
    /// `cp.async.bulk`. Variants that a wrapper selects by its arguments are not distinguished.
    fn is_wrapped_by(&self, parts: &[&str]) -> bool {
        if let Some(register) = self.pattern.strip_prefix('%') {
            return parts.starts_with(&["get", "sreg"]) && parts[2..].join("_").starts_with(register);
        }
        let opcode = self.pattern.split(['.', ':', '_']).filter(|part| !part.is_empty());
        !self.pattern.contains(' ') && parts.starts_with(&opcode.collect::<Vec<_>>())
    }

    /// Whether an opcode, or a statement with a special register, matches the row.
    fn is(&self, statement: &Statement<'_>) -> bool {
        if self.pattern.starts_with('%') {
            return statement.registers.contains(&self.pattern);
        }
        let mut parts = self.pattern.split(' ');
        let begins = parts.next().unwrap_or_default();
        let own: Vec<&str> = statement.opcode.split('.').collect();
        let begin: Vec<&str> = begins.split('.').collect();
        own.starts_with(&begin) && parts.all(|part| own.contains(&part))
    }
}

/// A PTX statement.
struct Statement<'t> {
    opcode: &'t str,
    /// The special registers among its operands: `%cluster_ctaid`.
    registers: Vec<&'t str>,
}

/// An instruction in inline assembly that some target lacks.
#[derive(Clone, Debug)]
pub struct Needed {
    /// The opcode or special register as written.
    pub written: String,
    /// The rows of the table that it matches; a target must satisfy all of them.
    pub rows: Vec<&'static Instruction>,
}

impl Needed {
    /// Whether a target has it.
    pub fn on(&self, arch: Arch) -> bool {
        self.rows.iter().all(|row| row.on(arch))
    }

    /// Whether just this instruction or function was measured. The rows that match another one tell which targets lack
    /// it, and not that all others have it: `cvt.rn.tf32.f32` needs more than `cvt.rna.tf32.f32`, the example of their
    /// row.
    pub fn is_measured(&self) -> bool {
        let measured = |row: &'static Instruction| {
            row.pattern == self.written || row.example.split([' ', ';']).any(|word| word == self.written)
        };
        self.rows.iter().copied().any(measured)
    }

    /// The least restrictive way to name the targets that have it.
    pub fn narrowest(&self) -> Vec<Arch> {
        let mut all: Vec<Arch> = self.rows.iter().flat_map(|row| row.narrowest()).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|arch| self.on(*arch));
        all
    }
}

/// The instructions of an assembly text that some target since sm_50 lacks, without repetition, in order.
pub fn needed(text: &str) -> Vec<Needed> {
    let text = without_comments(text);
    let mut all: Vec<Needed> = Vec::new();
    for statement in text.split([';', '{', '}', '\n']).filter_map(statement) {
        let rows: Vec<&'static Instruction> = INSTRUCTIONS.iter().filter(|row| row.is(&statement)).collect();
        let register = rows.iter().find(|row| row.pattern.starts_with('%')).map(|row| row.pattern);
        let written = register.unwrap_or(statement.opcode).to_string();
        if !rows.is_empty() && !all.iter().any(|known| known.written == written) {
            all.push(Needed { written, rows });
        }
    }
    all
}

/// Parses a statement; its opcode is the first word after labels and a predicate.
fn statement(text: &str) -> Option<Statement<'_>> {
    let is_label = |word: &&str| word.ends_with(':') && !word.ends_with("::");
    let opcode = text.split_whitespace().find(|word| !is_label(word) && !word.starts_with('@'))?;
    let begins = |c: char| c == '%' || c.is_alphanumeric() || c == '_';
    let words = text.split(|c: char| !begins(c));
    Some(Statement { opcode, registers: words.filter(|word| word.starts_with('%')).collect() })
}

fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        out.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("//") { "\n" } else { "*/" };
        rest = rest[at..].find(end).map_or("", |found| &rest[at + found..]);
        rest = rest.strip_prefix("*/").unwrap_or(rest);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The instructions found in a text, and which targets of a sample have them.
    fn check(text: &str, expected: &str) {
        let archs = ["75", "80", "89", "90", "90a", "100", "100a", "100f", "120", "120a"];
        let on = |one: &Needed| -> String {
            let archs = archs.iter().filter(|arch| one.on(Arch::of_number(arch).unwrap()));
            archs.copied().collect::<Vec<_>>().join(" ")
        };
        let all: Vec<String> =
            needed(text).iter().map(|one| format!("{}: {}", one.written, on(one))).collect();
        assert_eq!(all.join(" | "), expected, "{text}");
    }

    #[test]
    fn an_instruction_needs_all_that_its_rows_need() {
        check(
            "cp.async.ca.shared.global [%0], [%1], 16;",
            "cp.async.ca.shared.global: 80 89 90 90a 100 100a 100f 120 120a",
        );
        check("cp.async.bulk.commit_group;", "cp.async.bulk.commit_group: 90 90a 100 100a 100f 120 120a");
        check("wgmma.fence.sync.aligned;\n", "wgmma.fence.sync.aligned: 90a");
        check("tcgen05.mma.cta_group::1.kind::i8 [%0], %1;", "tcgen05.mma.cta_group::1.kind::i8: 100a");
        check("add.f32 %0, %1, %2;", "");
    }

    #[test]
    fn opcodes_stand_behind_labels_predicates_and_braces() {
        check(
            "{\n.reg .pred p;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\n\
             @!p elect.sync r|p, %2;\nDONE:\n}",
            "mbarrier.try_wait.parity.shared::cta.b64: 90 90a 100 100a 100f 120 120a | \
             elect.sync: 90 90a 100 100a 100f 120 120a",
        );
        check("L1: wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned: 90a");
    }

    #[test]
    fn comments_and_operands_are_no_opcodes() {
        check("// wgmma.fence.sync.aligned;\n/* setmaxnreg.inc; */ mov.u32 %0, %1;", "");
        check("mov.b32 {wgmma, %1}, %0;", "");
    }

    #[test]
    fn special_registers_count() {
        check("mov.u32 %0, %cluster_ctaid.x;", "%cluster_ctaid: 90 90a 100 100a 100f 120 120a");
        check("mov.u32 %0, %ctaid.x;", "");
    }

    #[test]
    fn functions_need_what_they_are_made_of() {
        let check = |name: &str, scope: Option<&str>, expected: &str| {
            let found = needed_by_call(name, scope).map_or(String::new(), |needed| {
                needed.narrowest().iter().map(|arch| arch.sm_name()).collect::<Vec<_>>().join(" ")
            });
            assert_eq!(found, expected, "{name}");
        };
        check("__reduce_add_sync", None, "sm_80");
        check("__nanosleep", None, "sm_70");
        check("__syncthreads", None, "");
        check("cp_async_bulk", Some("ptx"), "sm_90");
        check("cp_async_bulk", Some("mine"), "");
        check("tcgen05_shift_down", Some("ptx"), "sm_100a sm_101a sm_103a sm_107a sm_110a");
        check("get_sreg_cluster_ctaid_x", Some("ptx"), "sm_90");
        check("get_sreg_tid_x", Some("ptx"), "");
        check("space_shared", Some("ptx"), "");
    }

    #[test]
    fn the_narrowest_targets_are_named() {
        let narrowest = |text: &str| -> String {
            let archs = needed(text)[0].narrowest();
            archs.iter().map(|arch| arch.sm_name()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(narrowest("wgmma.fence.sync.aligned;"), "sm_90a");
        assert_eq!(narrowest("cp.async.bulk.commit_group;"), "sm_90");
        assert_eq!(
            narrowest("mma.sync.aligned.kind::mxf4.m16n8k64 {%0};"),
            "sm_120a sm_120f sm_121a sm_121f"
        );
    }
}
