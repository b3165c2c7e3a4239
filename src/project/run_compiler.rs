//! Runs a real compiler to get its predefined macros and include directories, if the user names one (`--compiler`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A compiler's predefined macros and include directories.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CompilerAnswer {
    /// Its predefined macros: value by name (with parameters).
    pub(super) macros: BTreeMap<String, String>,
    /// Its own include directories, in search order.
    pub(super) directories: Vec<PathBuf>,
}

/// Runs `compiler -dM -E -v -x c++` with `options` on an empty source. The error is a reason in lower case.
pub(super) fn query(compiler: &Path, options: &[String]) -> Result<CompilerAnswer, String> {
    let mut command = Command::new(compiler);
    command.args(options).args(["-dM", "-E", "-v", "-x", "c++", "-"]);
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let reason = said.lines().find(|line| line.contains("error")).or(said.lines().last());
        return Err(format!(
            "it ended with {}: {}",
            output.status,
            reason.unwrap_or("it printed no message")
        ));
    }
    let macros = macros(&String::from_utf8_lossy(&output.stdout));
    if macros.is_empty() {
        return Err("it printed no macro definitions".into());
    }
    Ok(CompilerAnswer { macros, directories: directories(&said) })
}

/// Parses the definitions that `-dM` prints, one per line.
fn macros(text: &str) -> BTreeMap<String, String> {
    let one = |line: &str| {
        let definition = line.strip_prefix("#define ")?;
        let name = definition.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(definition.len());
        let end = match definition[name..].starts_with('(') {
            true => name + definition[name..].find(')')? + 1,
            false => name,
        };
        Some((definition[..end].to_string(), definition[end..].trim().to_string()))
    };
    text.lines().filter_map(one).collect()
}

/// Parses the list of directories that `-v` prints between two fixed sentences.
fn directories(text: &str) -> Vec<PathBuf> {
    let lines = text.lines().skip_while(|line| !line.starts_with("#include <...>"));
    let listed = lines.skip(1).take_while(|line| line.starts_with(' '));
    listed.map(|line| PathBuf::from(line.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_and_directories_are_read() {
        let read = macros("#define A\n#define B 1 + 2\n#define F(x,y) x y\nnoise\n");
        let expected = [("A", ""), ("B", "1 + 2"), ("F(x,y)", "x y")];
        assert_eq!(read, expected.map(|(name, value)| (name.to_string(), value.to_string())).into());
        let said = "#include \"...\" search starts here:\n /q\n#include <...> search starts here:\n /a\n /b c\n\
                    End of search list.\n";
        assert_eq!(directories(said), [PathBuf::from("/a"), PathBuf::from("/b c")]);
    }

    #[test]
    fn a_program_that_is_no_compiler_is_refused() {
        assert!(query(Path::new("/nonexistent/g++"), &[]).is_err());
        assert_eq!(query(Path::new("true"), &[]), Err("it printed no macro definitions".into()));
        assert!(query(Path::new("false"), &[]).unwrap_err().starts_with("it ended with"));
    }
}
