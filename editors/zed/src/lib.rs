//! Tells Zed how to start `cuda-arch-lint lsp`.
//!
//! In: Zed's settings under `lsp.cuda-arch-lint`. Out: the command, and the settings for the server.
//! Nothing is downloaded: the program is the one that the user installed.

use zed_extension_api::serde_json::Value;
use zed_extension_api::settings::LspSettings;
use zed_extension_api::{Command, Extension, LanguageServerId, Result, Worktree, register_extension};

/// The program, and its name in Zed's settings.
const NAME: &str = "cuda-arch-lint";

struct CudaArchLint;

impl Extension for CudaArchLint {
    fn new() -> Self {
        CudaArchLint
    }

    /// The program of `lsp.cuda-arch-lint.binary.path`, else the one on the worktree's PATH.
    fn language_server_command(&mut self, _id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(NAME, worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path.or_else(|| worktree.which(NAME)).ok_or(
            "cuda-arch-lint is not on the PATH: `pip install cuda-arch-lint`, or set lsp.cuda-arch-lint.binary.path",
        )?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_string()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_initialization_options(
        &mut self,
        _id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(NAME, worktree)?.initialization_options)
    }

    fn language_server_workspace_configuration(
        &mut self,
        _id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(NAME, worktree)?.settings)
    }
}

register_extension!(CudaArchLint);
