//! What the tokens of a class tell: the member functions that it defines, what these mention, and its base classes.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{DeclKind, MemberFunction, TopDeclaration, Word, member_functions, word};

use super::arity::Arity;
use super::mentioned::{Forms, Seen, mentioned};
use super::own_names::OwnNames;
use super::tokens::{
    has_generic_lambda, identifiers, is_abbreviated, is_on_device_alone, is_on_host_alone, names_at, refine,
    used_by_calls,
};

/// The member functions that a class defines, and the data members that hold generic lambdas.
#[derive(Debug, Default)]
pub(in crate::facts) struct Class {
    /// Their names; `None` where tokens do not tell.
    members: Vec<Option<Symbol>>,
    /// With how many arguments each can be called.
    arities: Vec<Arity>,
    /// The identifiers in those member functions that are templated ([temp.pre]/8) and so instantiated by uses, each
    /// with the index of its function and how it is mentioned, sorted.
    mentions: Vec<(Symbol, u32, Forms)>,
    /// The indices of the member functions that are found without their class, ascending: the constructors of nested classes,
    /// which aliases may stand for. The default member initializers of these count as such.
    free: Vec<u32>,
    /// The indices of the friends that it defines, ascending.
    friends: Vec<u32>,
    /// The indices of the templated member functions that are virtual, ascending.
    virtuals: Vec<u32>,
    /// The names of the member functions that the class itself declares, none of a class in it; sorted.
    declared: Vec<Symbol>,
    /// The names of the functions that it declares virtual.
    virtual_names: Vec<Symbol>,
    /// The names of the base classes, those of nested classes included; sorted.
    bases: Vec<Symbol>,
    /// The identifiers outside the member functions, sorted.
    outside: Vec<Symbol>,
    /// The names of the static data members with initializers that are templated.
    static_data: Vec<Symbol>,
    /// The indices of the member functions that GPUs alone run, ascending.
    on_device_alone: Vec<u32>,
    /// The indices of the member functions that hosts alone run, ascending.
    on_host_alone: Vec<u32>,
    /// The identifiers that the class has in member functions that GPUs alone run and nowhere else, sorted.
    named_on_device: Vec<Symbol>,
}

impl Class {
    /// The facts of a class, of which the identifiers at `unmentioned` mention nothing: names of local variables, say. The
    /// names that its member functions are declared by are added to these.
    pub(super) fn of(
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        unmentioned: &mut Vec<usize>,
        own_names: &OwnNames,
        is_template: bool,
        seen: &mut Seen,
    ) -> Class {
        let own = &tokens[declaration.tokens.clone()];
        let passes = refine(declaration.passes, own.iter().map(|token| token.passes));
        let passes = passes.iter().filter_map(|class| class.lowest());
        let functions: Vec<_> = passes.flat_map(|pass| member_functions(tokens, declaration, pass)).collect();
        let is_class = |pair: &&[PpToken]| matches!(pair[0].text, sym::CLASS | sym::STRUCT | sym::UNION);
        let nested: FxHashSet<Symbol> = own.windows(2).filter(is_class).map(|pair| pair[1].text).collect();
        let heads = functions.iter().map(|one| (one.name, one.head.clone()));
        let heads = heads.chain([(declaration.names.first().copied(), class_head(tokens, declaration))]);
        unmentioned.extend(heads.filter_map(|(name, head)| only_place(tokens, name?, head)));
        let declared = declared_functions(tokens, declaration);
        unmentioned.extend(declared.iter().copied());
        unmentioned.sort_unstable();
        unmentioned.dedup();
        let unmentioned = unmentioned.as_slice();
        let mut class = Class::default();
        for (number, function) in functions.iter().enumerate() {
            if is_on_device_alone(&tokens[function.head.clone()], declaration.passes) {
                class.on_device_alone.push(number as u32);
            }
            if is_on_host_alone(&tokens[function.head.clone()]) {
                class.on_host_alone.push(number as u32);
            }
            if tokens[function.head.clone()].iter().any(|token| token.text == sym::FRIEND) {
                class.friends.push(number as u32);
            } else if function.name.is_some_and(|name| nested.contains(&name)) {
                class.free.push(number as u32);
            }
            class.members.push(match is_destructor(&tokens[function.head.clone()]) {
                true => function.name.map(|name| Symbol::intern(&format!("~{name}"))),
                false => function.name,
            });
            class.arities.push(match function.name {
                Some(name) => Arity::of_function(tokens, name, function.head.clone()),
                None => Arity::ANY,
            });
            let whole = &tokens[function.head.start..function.body.end];
            let is_virtual = |token: &PpToken| matches!(token.text, sym::VIRTUAL | sym::OVERRIDE);
            if (is_template || function.in_template) && tokens[function.head.clone()].iter().any(is_virtual) {
                class.virtuals.push(number as u32);
            }
            if is_template || function.in_template || is_abbreviated(whole, DeclKind::Function) {
                let inside =
                    mentioned(tokens, function.head.start..function.body.end, unmentioned, own_names);
                let inside = seen.each_with_forms(inside).into_iter();
                class.mentions.extend(inside.map(|(name, forms)| (name, number as u32, forms)));
            } else {
                let inside = used_by_calls(&tokens[function.head.clone()]);
                let inside = seen.each_once(inside.into_iter());
                class.mentions.extend(inside.map(|name| (name, number as u32, Forms::ANY)));
            }
        }
        let outside = Outside { body: declaration.class_body.clone(), functions: ranges(&functions) };
        let mut initialized = generic_lambda_members(tokens, &outside);
        // A static member of a class that is no template may be a template itself.
        let mut data = static_data_members(tokens, &outside);
        data.retain(|one| is_template || one.is_template);
        class.static_data = data.iter().map(|one| one.name).collect();
        initialized.extend(data);
        initialized.extend(prototypes_with_defaults(tokens, &outside));
        let named = initialized.len();
        if is_template {
            initialized.extend(nested_default_initializers(tokens, &outside));
        }
        for (place, member) in initialized.into_iter().enumerate() {
            let only_reads = member.is_constant && only_reads(&tokens[member.initializer.clone()]);
            let inside = mentioned(tokens, member.initializer, unmentioned, own_names);
            let inside = inside.filter(|(_, forms)| !only_reads || forms.meet(Forms::VALUE));
            let inside = seen.each_with_forms(inside).into_iter();
            let number = class.members.len() as u32;
            if place >= named {
                class.free.push(number);
            }
            class.members.push(Some(member.name));
            class.arities.push(Arity::ANY);
            class.mentions.extend(inside.map(|(name, forms)| (name, number, forms)));
        }
        class.mentions.sort_unstable_by_key(|(name, number, _)| (*name, *number));
        class.bases = bases(own);
        class.virtual_names = virtual_names(own);
        class.declared = declared.iter().map(|at| tokens[*at].text).collect();
        class.declared.sort_unstable();
        class.declared.dedup();
        if !class.on_device_alone.is_empty() {
            let on_device = class.on_device_alone.iter().map(|number| &functions[*number as usize]);
            let ranges: Vec<Range<usize>> = on_device.map(|one| one.head.start..one.body.end).collect();
            let is_inside = |at: &usize| ranges.iter().any(|range| range.contains(at));
            let outside = declaration.tokens.clone().filter(|at| !is_inside(at));
            let outside: FxHashSet<Symbol> = outside.flat_map(|at| names_at(tokens, at)).collect();
            let inside = ranges.iter().flat_map(|range| identifiers(&tokens[range.clone()]));
            class.named_on_device = seen.each_once(inside.filter(|name| !outside.contains(name))).collect();
            class.named_on_device.sort_unstable();
        }
        {
            let in_function =
                |at: &usize| functions.iter().any(|one| (one.head.start..one.body.end).contains(at));
            let outside = declaration.tokens.clone().filter(|at| !in_function(at));
            let outside = outside.flat_map(|at| names_at(tokens, at));
            class.outside = seen.each_once(outside).collect();
            class.outside.sort_unstable();
        }
        class
    }

    /// The names of the member functions that it defines.
    pub(in crate::facts) fn defined_members(&self) -> impl Iterator<Item = Symbol> {
        self.members.iter().copied().flatten()
    }

    /// The templated member functions that mention a name.
    pub(in crate::facts) fn mentioning(&self, name: Symbol) -> impl Iterator<Item = Mentioning> {
        let first = self.mentions.partition_point(|(other, ..)| *other < name);
        let own = self.mentions[first..].iter().take_while(move |(other, ..)| *other == name);
        let is_among = |list: &[u32], member: &u32| list.binary_search(member).is_ok();
        own.map(move |(_, member, forms)| Mentioning {
            name: self.members[*member as usize],
            arity: self.arities[*member as usize],
            forms: *forms,
            on_device_alone: is_among(&self.on_device_alone, member),
            on_host_alone: is_among(&self.on_host_alone, member),
            is_free: is_among(&self.free, member),
            is_friend: is_among(&self.friends, member),
            is_virtual: is_among(&self.virtuals, member),
        })
    }

    /// Whether the class itself declares a member function of a name, which is what the name alone denotes in it.
    pub(super) fn declares(&self, name: Symbol) -> bool {
        self.declared.binary_search(&name).is_ok()
    }

    /// The names of the functions that it declares virtual.
    pub(super) fn virtual_names(&self) -> &[Symbol] {
        &self.virtual_names
    }

    /// The names of the base classes, those of nested classes included.
    pub(in crate::facts) fn bases(&self) -> &[Symbol] {
        &self.bases
    }

    /// Whether only member functions that GPUs alone run mention a name.
    pub(in crate::facts) fn names_on_device_alone(&self, name: Symbol) -> bool {
        self.named_on_device.binary_search(&name).is_ok()
    }

    /// The names of the member functions, as far as tokens tell.
    pub(in crate::facts) fn names(&self) -> impl Iterator<Item = Symbol> {
        self.members.iter().flatten().copied()
    }

    /// The names of the static data members whose uses instantiate their initializers.
    pub(in crate::facts) fn static_data(&self) -> &[Symbol] {
        &self.static_data
    }

    /// Whether the class mentions a name outside its member functions: as the type of a data member, or as a base.
    pub(in crate::facts) fn consists_of(&self, name: Symbol) -> bool {
        self.outside.binary_search(&name).is_ok()
    }
}

/// A member function that mentions a name.
#[derive(Clone, Copy, Debug)]
pub(in crate::facts) struct Mentioning {
    /// Its name; `None` where tokens do not tell.
    pub name: Option<Symbol>,
    /// With how many arguments it can be called.
    pub arity: Arity,
    pub forms: Forms,
    /// GPUs alone run it.
    pub on_device_alone: bool,
    /// Hosts alone run it.
    pub on_host_alone: bool,
    /// It is found without its class: a constructor of a nested class.
    pub is_free: bool,
    /// It is a function of the namespace that the class is in.
    pub is_friend: bool,
    /// It is a virtual function of a class template, which is reached by objects.
    pub is_virtual: bool,
}

/// The tokens of a class before its base classes or its body.
fn class_head(tokens: &[PpToken], declaration: &TopDeclaration) -> Range<usize> {
    let Range { start, end } = declaration.tokens;
    let ends = |at: &usize| matches!(tokens[*at].text, sym::COLON | sym::LBRACE | sym::SEMI);
    start..(start..end).find(ends).unwrap_or(end)
}

/// The place of a name in the head of what it declares, if it stands there once.
fn only_place(tokens: &[PpToken], name: Symbol, head: Range<usize>) -> Option<usize> {
    let mut places = head.filter(|at| tokens[*at].text == name);
    places.next().filter(|_| places.next().is_none())
}

/// Whether the head of a member function is a destructor's.
fn is_destructor(head: &[PpToken]) -> bool {
    head.windows(3).any(|three| {
        three[0].text == sym::TILDE && three[1].kind == TokenKind::Identifier && three[2].text == sym::LPAREN
    })
}

/// What a class's body has outside the member functions that it defines.
struct Outside {
    /// The tokens of the body.
    body: Range<usize>,
    /// Those of the member functions, ascending.
    functions: Vec<Range<usize>>,
}

impl Outside {
    /// Where the member function ends that a token is of; `None` if it is outside of all.
    fn end_of_function(&self, at: usize) -> Option<usize> {
        let before = self.functions.partition_point(|function| function.start <= at).checked_sub(1)?;
        Some(self.functions[before].end).filter(|end| at < *end)
    }

    /// The tokens outside.
    fn tokens(&self) -> impl Iterator<Item = usize> {
        self.body.clone().filter(|at| self.end_of_function(*at).is_none())
    }
}

/// The tokens of member functions, heads included, ascending; the same function of several passes once.
fn ranges(functions: &[MemberFunction]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = functions.iter().map(|one| one.head.start..one.body.end).collect();
    all.sort_unstable_by_key(|range| (range.start, range.end));
    all.dedup_by(|next, last| {
        let overlaps = next.start < last.end;
        if overlaps {
            last.end = last.end.max(next.end);
        }
        overlaps
    });
    all
}

/// The data members that are initialized with generic lambdas.
fn generic_lambda_members(tokens: &[PpToken], outside: &Outside) -> Vec<Initialized> {
    let (body, mut found) = (&outside.body, Vec::new());
    for at in outside.tokens() {
        let Some([name, assign, open]) = tokens.get(at..at + 3) else { break };
        if name.kind == TokenKind::Identifier && assign.text == sym::ASSIGN && open.text == sym::LBRACKET {
            let mut depth = 0_i32;
            let ends = |token: &&PpToken| {
                depth += i32::from(matches!(token.text, sym::LBRACE | sym::LPAREN | sym::LBRACKET));
                depth -= i32::from(matches!(token.text, sym::RBRACE | sym::RPAREN | sym::RBRACKET));
                depth > 0 || token.text != sym::SEMI
            };
            let length = tokens[at + 2..body.end].iter().take_while(ends).count();
            let initializer = at + 2..at + 2 + length;
            if has_generic_lambda(&tokens[initializer.clone()]) {
                found.push(Initialized {
                    name: name.text,
                    initializer,
                    is_constant: false,
                    is_template: false,
                });
            }
        }
    }
    found
}

/// Whether the initializer of a constant calls nothing by name and creates no object: it reads other constants, so that the
/// classes by which these are qualified lead nowhere. An operator of a class that it uses is evaluated by the compiler.
fn only_reads(initializer: &[PpToken]) -> bool {
    let calls = |pair: &[PpToken]| {
        pair[1].text == sym::LPAREN
            && (matches!(pair[0].text, sym::GREATER | sym::SHR | sym::RPAREN | sym::RBRACKET)
                || pair[0].kind == TokenKind::Identifier && word(pair[0].text).is_none())
    };
    let creates = |token: &PpToken| matches!(token.text, sym::LBRACE | sym::NEW | sym::OPERATOR);
    !initializer.windows(2).any(calls) && !initializer.iter().any(creates)
}

/// A member that a class's body initializes outside the member functions that it defines.
struct Initialized {
    name: Symbol,
    /// The tokens of its initializer; of a function, those of its parameters.
    initializer: Range<usize>,
    /// It is a static data member whose initializer is a constant expression: it is `constexpr`, or not `inline`
    /// ([class.static.data]/4).
    is_constant: bool,
    /// It is a static data member template.
    is_template: bool,
}

/// The static data members with initializers in a class's body.
fn static_data_members(tokens: &[PpToken], outside: &Outside) -> Vec<Initialized> {
    let (body, mut found) = (&outside.body, Vec::new());
    let statics = body.clone().filter(|at| tokens[*at].text == sym::STATIC);
    for start in statics.filter(|at| outside.end_of_function(*at).is_none()) {
        let ends = |at: &usize| {
            let is_call =
                |before: &PpToken| before.kind == TokenKind::Identifier && word(before.text).is_none();
            match tokens[*at].text {
                sym::ASSIGN | sym::LBRACE | sym::SEMI => true,
                // The parentheses of a function's parameters, and not those of `sizeof...(T)`.
                sym::LPAREN => is_call(&tokens[*at - 1]),
                _ => false,
            }
        };
        let Some(equals) = (start + 1..body.end).find(ends) else { break };
        // The bounds of an array stand behind its name.
        let bracket = (start + 1..equals).find(|at| tokens[*at].text == sym::LBRACKET);
        let bracket = bracket.filter(|_| tokens[equals - 1].text == sym::RBRACKET);
        // `void (*name)(T)`, `void (*name[])(T)`, `void (*const name)(T)`
        let is_pointer = |at: &usize| {
            tokens[*at].kind == TokenKind::Identifier
                && matches!(tokens[*at - 1].text, sym::STAR | sym::AMP | sym::CONST | sym::VOLATILE)
                && matches!(tokens[*at + 1].text, sym::RPAREN | sym::LBRACKET)
        };
        let pointer = (start + 2..equals.saturating_sub(1)).find(is_pointer);
        let pointer = pointer.filter(|_| tokens[equals - 1].text == sym::RPAREN);
        let name = tokens[pointer.unwrap_or_else(|| bracket.unwrap_or(equals) - 1)];
        if !matches!(tokens[equals].text, sym::ASSIGN | sym::LBRACE) || name.kind != TokenKind::Identifier {
            continue;
        }
        let end = (equals..body.end).find(|at| tokens[*at].text == sym::SEMI).unwrap_or(body.end);
        let ends_another = |at: &usize| {
            matches!(tokens[*at].text, sym::SEMI | sym::LBRACE | sym::RBRACE | sym::COLON | sym::GREATER)
        };
        let first = (body.start..start).rev().find(ends_another).map_or(body.start, |before| before + 1);
        let has = |word: Symbol| (first..equals).any(|at| tokens[at].text == word);
        let is_constant = has(sym::CONSTEXPR) || !has(sym::INLINE);
        let is_template = first > body.start && tokens[first - 1].text == sym::GREATER;
        found.push(Initialized { name: name.text, initializer: equals..end, is_constant, is_template });
    }
    found
}

/// The default member initializers of nested classes, by the names of these: objects of them use the initializers.
fn nested_default_initializers(tokens: &[PpToken], outside: &Outside) -> Vec<Initialized> {
    let (body, mut found) = (&outside.body, Vec::new());
    let mut searched = body.start;
    for at in body.clone().skip(1) {
        let is_key = matches!(tokens[at - 1].text, sym::CLASS | sym::STRUCT);
        if !is_key || at < searched || tokens[at].kind != TokenKind::Identifier {
            continue;
        }
        let ends = |token: &PpToken| {
            matches!(token.text, sym::LBRACE | sym::SEMI | sym::LPAREN | sym::GREATER | sym::COMMA)
        };
        let open = tokens[at..body.end].iter().position(ends).map(|length| at + length);
        let is_class = |open: &usize| tokens[*open].text == sym::LBRACE;
        let Some(open) = open.filter(is_class).filter(|_| outside.end_of_function(at).is_none()) else {
            continue;
        };
        searched = end_of_group(tokens, open, body.end);
        for equals in open..searched {
            if tokens[equals].text == sym::ASSIGN
                && tokens[equals - 1].kind == TokenKind::Identifier
                && outside.end_of_function(equals).is_none()
                && declares_data_member(&tokens[body.start..equals])
            {
                let semicolon = tokens[equals..searched].iter().position(|token| token.text == sym::SEMI);
                let initializer = equals..semicolon.map_or(searched, |length| equals + length);
                let name = tokens[at].text;
                found.push(Initialized { name, initializer, is_constant: false, is_template: false });
            }
        }
    }
    found
}

/// Whether the tokens before an initializer end in the declaration of a non-static data member, and not in that of an alias, a
/// constant or an enumerator.
fn declares_data_member(before: &[PpToken]) -> bool {
    let ends_another =
        |token: &PpToken| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE | sym::COLON);
    let first = before.iter().rposition(ends_another).map_or(0, |end| end + 1);
    let is_other = |token: &PpToken| {
        matches!(token.text, sym::USING | sym::STATIC | sym::CONSTEXPR | sym::ASSIGN | sym::ENUM)
    };
    before.len() - first > 1 && !before[first..].iter().any(is_other)
}

/// Where the group ends that a bracket opens.
fn end_of_group(tokens: &[PpToken], open: usize, end: usize) -> usize {
    let mut depth = 0_i32;
    let is_inside = |token: &&PpToken| {
        depth += i32::from(matches!(token.text, sym::LBRACE | sym::LPAREN | sym::LBRACKET));
        depth -= i32::from(matches!(token.text, sym::RBRACE | sym::RPAREN | sym::RBRACKET));
        depth > 0
    };
    open + tokens[open..end].iter().take_while(is_inside).count()
}

/// The member functions that a class's body declares with default arguments and does not define: a call uses the default
/// arguments.
fn prototypes_with_defaults(tokens: &[PpToken], outside: &Outside) -> Vec<Initialized> {
    let (body, mut found) = (&outside.body, Vec::new());
    let mut at = body.start;
    while at + 1 < body.end {
        at = outside.end_of_function(at).unwrap_or(at + 1);
        if at >= body.end {
            break;
        }
        let name = tokens[at - 1];
        if tokens[at].text != sym::LPAREN || name.kind != TokenKind::Identifier || word(name.text).is_some() {
            continue;
        }
        let (mut depth, mut has_default) = (0_i32, false);
        let ends = |token: &&PpToken| {
            depth += i32::from(matches!(token.text, sym::LPAREN | sym::LBRACE | sym::LBRACKET));
            depth -= i32::from(matches!(token.text, sym::RPAREN | sym::RBRACE | sym::RBRACKET));
            has_default |= token.text == sym::ASSIGN;
            depth > 0
        };
        let end = at + tokens[at..body.end].iter().take_while(ends).count();
        let behind = tokens[end..body.end].iter().find(|token| {
            matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE | sym::COLON | sym::LPAREN)
        });
        if has_default && behind.is_some_and(|token| token.text == sym::SEMI) {
            found.push(Initialized {
                name: name.text,
                initializer: at..end,
                is_constant: false,
                is_template: false,
            });
        }
        at = end;
    }
    found
}

/// Where a class declares member functions, defined or not, but for those of classes in it: the tokens of their names, which
/// stand behind a type in every pass that has the class.
fn declared_functions(tokens: &[PpToken], declaration: &TopDeclaration) -> Vec<usize> {
    let body = &declaration.class_body;
    let (mut found, mut is_friend) = (Vec::new(), false);
    let mut at = body.start + 1;
    while at + 1 < body.end {
        let token = &tokens[at];
        match token.text {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => {
                is_friend &= token.text != sym::LBRACE;
                at = end_of_group(tokens, at, body.end);
                if tokens.get(at).is_none_or(|closing| closing.passes != token.passes) {
                    return Vec::new();
                }
            }
            sym::SEMI => is_friend = false,
            sym::FRIEND => is_friend = true,
            _ => {}
        }
        let is_behind_type = || match tokens[at - 1].kind {
            TokenKind::Identifier => matches!(word(tokens[at - 1].text), None | Some(Word::Type)),
            _ => matches!(tokens[at - 1].text, sym::GREATER | sym::SHR | sym::STAR | sym::AMP | sym::AMP_AMP),
        };
        if at + 1 < body.end
            && !is_friend
            && tokens[at].kind == TokenKind::Identifier
            && tokens[at + 1].text == sym::LPAREN
            && word(tokens[at].text).is_none()
            && tokens[at].passes.contains(declaration.passes)
            && is_behind_type()
        {
            found.push(at);
        }
        at += 1;
    }
    found
}

/// The names of the functions that a class's tokens declare virtual: those before the parentheses of their parameters.
fn virtual_names(own: &[PpToken]) -> Vec<Symbol> {
    let places = (0..own.len()).filter(|at| own[*at].text == sym::VIRTUAL);
    let name = |at: usize| {
        let mut pairs =
            own[at..].windows(2).take_while(|pair| !matches!(pair[0].text, sym::SEMI | sym::LBRACE));
        let is_name = |pair: &&[PpToken]| {
            pair[0].kind == TokenKind::Identifier
                && word(pair[0].text).is_none()
                && pair[1].text == sym::LPAREN
        };
        pairs.find(is_name).map(|pair| pair[0].text)
    };
    places.filter_map(name).collect()
}

/// The names of the base classes in a class's tokens, those of nested classes included; sorted. Where tokens do not tell the
/// name of one, the name is empty.
fn bases(own: &[PpToken]) -> Vec<Symbol> {
    let mut names = Vec::new();
    let mut at = 0;
    while at < own.len() {
        at += 1;
        let of_enum = at > 1 && own[at - 2].text.as_str() == "enum";
        if of_enum || !matches!(own[at - 1].text, sym::CLASS | sym::STRUCT) {
            continue;
        }
        // The head of a class, up to its colon: no template parameter, variable or function has one before these.
        let mut depth = 0_i32;
        let mut ends = |token: &PpToken| {
            depth += i32::from(token.text == sym::LESS) - i32::from(token.text == sym::GREATER);
            depth -= if token.text.as_str() == ">>" { 2 } else { 0 };
            matches!(token.text, sym::LBRACE | sym::SEMI | sym::LPAREN | sym::ASSIGN | sym::COLON)
                || depth == 0 && token.text == sym::COMMA
                || depth < 0
        };
        let Some(length) = own[at..].iter().position(&mut ends) else { break };
        if own[at + length].text != sym::COLON {
            continue;
        }
        let clause = at + length + 1;
        let (mut depth, mut last) = (0_i32, sym::EMPTY);
        for token in &own[clause..] {
            match token.text {
                sym::LESS | sym::LPAREN => depth += 1,
                sym::GREATER | sym::RPAREN => depth -= 1,
                _ if token.text.as_str() == ">>" => depth -= 2,
                sym::COMMA | sym::LBRACE if depth <= 0 => {
                    names.push(last);
                    last = sym::EMPTY;
                    if token.text == sym::LBRACE {
                        break;
                    }
                }
                _ if depth == 0 && token.kind == TokenKind::Identifier => last = token.text,
                _ => {}
            }
        }
        at = clause;
    }
    names.sort_unstable();
    names.dedup();
    names
}
