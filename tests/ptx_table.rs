//! ptxas judges the table of instructions: `PTXAS=/path/to/ptxas cargo test --test all ptx_table::` assembles every
//! row's example for every target that this ptxas knows and compares what it takes with the table. Without
//! it, every example must be recognised as its row, and need no more than that. nvcc judges the table of
//! functions in the same way: `NVCC=/path/to/nvcc`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use cuda_arch_lint::target::{
    Arch, Instruction, Suffix, Toolkit, instructions, intrinsics, needed, needed_by_call,
};
use rayon::prelude::*;

#[test]
fn every_example_is_recognised_as_its_row() {
    let mut wrong = Vec::new();
    for row in instructions() {
        let found = needed(row.example);
        let own = found.iter().find(|one| one.rows.iter().any(|other| other.pattern == row.pattern));
        let same = own.is_some_and(|own| Arch::known().all(|arch| own.on(arch) == row.on(arch)));
        if !same {
            wrong.push(format!("{}: {}: {found:?}", row.pattern, row.example));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(instructions().len() >= 150);
    if let Some(ptxas) = std::env::var_os("PTXAS") {
        judged(Path::new(&ptxas));
    }
}

#[test]
fn every_function_is_recognised_by_its_name() {
    for row in intrinsics() {
        let found = needed_by_call(row.pattern, None).expect("it is in the table");
        assert!(Arch::known().all(|arch| found.on(arch) == row.on(arch)), "{}", row.pattern);
        assert!(row.example.contains(&format!("{}(", row.pattern)), "{}", row.example);
    }
    assert!(intrinsics().len() >= 40);
    if let Some(nvcc) = std::env::var_os("NVCC") {
        compiled(Path::new(&nvcc));
    }
}

/// nvcc compiles those instructions that the table says: one source with a kernel a line, and the lines it refuses.
fn compiled(nvcc: &Path) {
    let toolkit = toolkit(nvcc);
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("calls.cu");
    let kernel = |(index, row): (usize, &Instruction)| {
        let body = row.example;
        format!("__global__ void k{index}(int *out, float2 f) {{ int r = threadIdx.x; {body} *out = r; }}\n")
    };
    let lines: String = intrinsics().iter().enumerate().map(kernel).collect();
    std::fs::write(&source, format!("#include <cooperative_groups.h>\n{lines}")).expect("a file");
    let targets = Arch::known().filter(|arch| arch.accepted_by(toolkit) && arch.suffix == Suffix::None);
    let (mut wrong, mut asked) = (Vec::new(), 0);
    for arch in targets {
        let mut command = Command::new(nvcc);
        command.arg(format!("-arch={}", arch.sm_name())).args(["-cubin", "-o", "/dev/null"]).arg(&source);
        let output = command.output().expect("nvcc runs");
        let said =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        for (index, row) in intrinsics().iter().enumerate() {
            let refused = said.contains(&format!("calls.cu({}): error", index + 2));
            if refused == row.on(arch) {
                wrong.push(format!("{} on {}", row.pattern, arch.sm_name()));
            }
        }
        asked += 1;
    }
    assert!(wrong.is_empty() && asked > 5, "{}", wrong.join("\n"));
    println!("{} functions for {asked} targets of {toolkit}", intrinsics().len());
}

/// ptxas accepts those instructions that the table says.
fn judged(ptxas: &Path) {
    let toolkit = toolkit(ptxas);
    let targets: Vec<Arch> = Arch::known().filter(|arch| arch.accepted_by(toolkit)).collect();
    assert!(targets.len() > 10, "{toolkit}");
    let wrong: Vec<String> = instructions()
        .par_iter()
        .flat_map_iter(|row| targets.iter().map(move |arch| (row, *arch)))
        .filter_map(|(row, arch)| {
            let said = assemble(ptxas, toolkit, row, arch);
            let newer = said.contains("Unknown modifier") || said.contains("Not a name of any known");
            (said.is_empty() != row.on(arch) && !newer)
                .then(|| format!("{} on {}: {said}", row.pattern, arch.sm_name()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} rows for {} targets of {toolkit}", instructions().len(), targets.len());
}

/// The release of ptxas or nvcc.
fn toolkit(ptxas: &Path) -> Toolkit {
    let output = Command::new(ptxas).arg("--version").output().expect("ptxas runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let release = said.split("release ").nth(1).and_then(|rest| rest.split(',').next());
    Toolkit::parse(release.expect("it says its release")).expect("a known one")
}

/// ptxas's error about a kernel with the example; empty if it accepts it.
fn assemble(ptxas: &Path, toolkit: Toolkit, row: &Instruction, arch: Arch) -> String {
    let wide = if row.example.contains(" q0") { ".reg .b128 q<4>;\n" } else { "" };
    let source = format!(
        ".version {}\n.target {}\n.address_size 64\n.visible .entry k(.param .u64 a)\n{{\n.reg .pred p;\n\
         .reg .b16 h<8>;\n.reg .b32 r<40>;\n.reg .b64 d<16>;\n.reg .f32 f<40>;\n.reg .f64 g<16>;\n{wide}\
         .shared .align 128 .b8 s[1024];\nld.param.u64 d0, [a];\nmov.u32 r0, s;\nmov.u64 d3, s;\n{}\nret;\n}}\n",
        toolkit.isa(),
        arch.sm_name(),
        row.example
    );
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(source.as_bytes()).expect("it can be written");
    let mut command = Command::new(ptxas);
    command.arg(format!("-arch={}", arch.sm_name())).arg(file.path()).args(["-o", "/dev/null"]);
    let output = command.stdin(Stdio::null()).output().expect("ptxas runs");
    if output.status.success() {
        return String::new();
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.is_empty() { "refused".to_string() } else { said }
}
