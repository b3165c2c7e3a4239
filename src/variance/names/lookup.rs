//! Name lookup, approximated upwards: whether a mention can mean a name that is declared in some namespace.

use crate::preprocess::PpToken;
use crate::source::{TokenKind, sym};
use crate::variance::cut::{DeclKind, Scope, TopDeclaration};

use super::mention::Mention;
use super::namespaces::{LookupScope, Namespace, Namespaces};

/// Whether a mention in a declaration with this lookup scope can mean a name with that home.
pub(in crate::variance) fn may_mean(
    namespaces: &Namespaces,
    mention: Mention,
    scope: &LookupScope,
    home: Home,
) -> bool {
    if matches!(mention, Mention::In(qualifier) if !namespaces.is_namespace(qualifier)) {
        return false;
    }
    let Some(namespace) = home.namespace else { return true };
    match mention {
        Mention::Any => true,
        Mention::Called if home.function => true,
        Mention::Plain | Mention::Called => namespaces.reaches(scope, namespace),
        Mention::Own => match scope {
            LookupScope::Own(own) | LookupScope::With(own, _) => *own == namespace,
            LookupScope::Anywhere => true,
        },
        Mention::In(qualifier) => namespaces.qualifies(Some(qualifier), namespace),
        Mention::Global => namespaces.qualifies(None, namespace),
    }
}

/// The namespace that a declaration's names belong to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Home {
    /// `None` where the tokens do not tell.
    pub(in crate::variance) namespace: Option<Namespace>,
    /// It is a function's, or may be.
    pub(in crate::variance) function: bool,
}

impl Home {
    /// Whether tokens tell where it is.
    pub fn is_told(self) -> bool {
        self.namespace.is_some()
    }

    /// The home of a declaration's names. A name of C is the same function in every namespace ([dcl.link]).
    pub(in crate::variance) fn of(
        namespaces: &Namespaces,
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        scopes: &[Scope],
    ) -> Home {
        let start = declaration.tokens.start;
        let language = |token: &PpToken| token.kind == TokenKind::String;
        let of_c = scopes[declaration.scope.0 as usize].extern_c
            || tokens[start].text == sym::EXTERN && tokens.get(start + 1).is_some_and(language);
        let told = declaration.names.len() == declaration.declared && !of_c;
        Home {
            namespace: told.then(|| namespaces.of(declaration.scope)),
            function: !matches!(
                declaration.kind,
                DeclKind::Class | DeclKind::Enum | DeclKind::Alias | DeclKind::Variable | DeclKind::Forward
            ),
        }
    }
}
