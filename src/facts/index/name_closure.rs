//! The closure over the name graph: all names from which some names can be reached.
//!
//! In: the edges of the [`NameGraph`]. Out: [`ReachingNames`]. Functions that GPUs alone run lead to a kernel only by
//! functions that GPUs run, too, down to the launch: they don't call those of the host. And code of system headers that is no
//! template leads to kernels of these alone, since it knows no others. An alias or variable is named behind its declaration
//! ([basic.scope.pdecl]), and a constant that calls nothing only reads constants. Where an operator function or conversion
//! function leads, so does whatever may give an object to use it on, since the use spells no name of its class's. The closure
//! over the preamble alone is cached between analyses; the declarations behind it can only add to that.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cancel::unwind_if_cancelled;
use crate::source::{Symbol, sym};
use crate::variance::{DeclKind, Home};

use super::arity::Arity;
use super::class_facts::Mentioning;
use super::leading_names::{
    ANY_CLASS, ANYWHERE, FreeWay, LeadingNames, ReachingNames, Way, Ways, is_used_on_objects,
};
use super::mentioned::Forms;
use super::name_graph::NameGraph;
use super::token_facts::is_word;

impl ReachingNames {
    /// Whether a declaration that mentions a name in some forms may reach a target by it.
    pub(in crate::facts) fn leads_from(
        &self,
        graph: NameGraph<'_>,
        top: usize,
        (name, forms): (Symbol, Forms),
    ) -> bool {
        self.names.contains(&name)
            && (graph.leads_on_device(&self.ways, top, (name, forms))
                || !graph.token_facts.names_on_device_alone(top, name))
            && graph.may_denote(&self.ways, top, (name, forms))
    }

    /// The declarations that may reach a target by one of some names, which they mention.
    pub(in crate::facts) fn mentioning(&self, graph: NameGraph<'_>, names: &FxHashSet<Symbol>) -> Vec<usize> {
        let uses_objects = self.names.iter().any(|name| is_used_on_objects(*name));
        let mut mentioning = vec![false; graph.declarations.len()];
        for name in names {
            for (top, forms) in graph.leading_mentions(*name, uses_objects) {
                mentioning[top] |= self.leads_from(graph, top, (*name, forms));
            }
        }
        (0..mentioning.len()).filter(|top| mentioning[*top]).collect()
    }
}

impl ReachingNames {
    /// The names by where they lead from.
    pub(in crate::facts) fn leading_names(&self, graph: NameGraph<'_>) -> LeadingNames {
        let (anywhere, mut on_device) = (self.names.clone(), self.ways.on_device.clone());
        on_device.extend(self.ways.targets.keys());
        let members = self.ways.members_alone(graph.declarations);
        let (in_system, objects) = (Arc::clone(&self.in_system), self.objects(graph));
        let (created, explicit) = (self.created(graph), self.ways.explicit());
        LeadingNames { anywhere, on_device, in_system, members, objects, created, explicit }
    }

    /// [`LeadingNames::created`].
    fn created(&self, graph: NameGraph<'_>) -> FxHashSet<Symbol> {
        let classes = self.ways.by_objects.iter();
        let named = classes.map(|class| graph.declarations.get(*class));
        let named = named.map(|class| class.map(|class| &class.names[..class.declared]));
        // One that tokens do not tell may be any.
        named
            .collect::<Option<Vec<_>>>()
            .map_or_else(|| self.names.clone(), |named| named.into_iter().flatten().copied().collect())
    }

    /// [`LeadingNames::objects`].
    fn objects(&self, graph: NameGraph<'_>) -> FxHashSet<Symbol> {
        let mut objects = FxHashSet::default();
        let mut pending: Vec<Symbol> = Vec::new();
        let edges =
            [Some(&self.implicit_edges), self.preamble.as_ref().map(|preamble| &preamble.implicit_edges)];
        let edges = edges.into_iter().flatten().flatten();
        pending.extend(edges.filter(|(_, to)| is_used_on_objects(*to)).map(|(from, _)| *from));
        let by_member = self.ways.members.iter().filter(|(name, _)| is_used_on_objects(**name));
        for (class, _) in by_member.flat_map(|(_, classes)| classes) {
            match graph.declarations.get(*class) {
                Some(class) => pending.extend(&class.names[..class.declared]),
                // It may be any.
                None => pending.extend(self.names.iter().filter(|name| graph.is_class(**name))),
            }
        }
        while let Some(name) = pending.pop() {
            if !objects.insert(name) {
                continue;
            }
            for (top, forms) in graph.leading_mentions(name, true) {
                let declaration = &graph.declarations[top];
                let own = &declaration.names[..declaration.declared];
                let gives = own.iter().any(|name| self.givers.contains(name));
                if (gives || matches!(declaration.kind, DeclKind::Class | DeclKind::Alias))
                    && graph.may_denote(&self.ways, top, (name, forms))
                {
                    pending.extend(own);
                }
            }
        }
        objects
    }
}

impl<'l> NameGraph<'l> {
    /// `names`, and every name from which one of them can be reached.
    pub(in crate::facts) fn closure(&self, names: &FxHashSet<Symbol>) -> ReachingNames {
        let (Some(preamble_graph), Some(closures)) = (self.token_facts.preamble_alone(), self.closures)
        else {
            return self.closure_from_scratch(names);
        };
        let mut closure = NameClosure::new(*self);
        // What the headers lead to is the same whatever stands behind them.
        let lookup = self.lookup.cut_short(self.token_facts.preamble_end());
        let preamble_graph = NameGraph { token_facts: &preamble_graph, lookup: &lookup, ..*self };
        let own: FxHashSet<Symbol> =
            names.iter().copied().filter(|name| preamble_graph.token_facts.is_kernel(*name)).collect();
        let preamble = closures.get_or_find(own, |names| preamble_graph.closure_from_scratch(names));
        closure.names.clone_from(&preamble.names);
        closure.ways.clone_from(&preamble.ways);
        closure.givers.clone_from(&preamble.givers);
        closure.uses_objects = closure.names.iter().any(|name| is_used_on_objects(*name));
        closure.bring_home(self.token_facts.preamble_end());
        // Declarations behind the preamble may mention its names, and may make classes of names that declarations in it
        // mention, which gives these further edges.
        for top in self.token_facts.preamble_end()..self.declarations.len() {
            closure.follow_mentions(top, &preamble.names);
        }
        let declared = self.declarations[self.token_facts.preamble_end()..].iter().flat_map(|one| &one.names);
        let classes: FxHashSet<Symbol> = declared
            .copied()
            .filter(|name| self.is_class(*name) && !preamble_graph.is_class(*name))
            .collect();
        if !classes.is_empty() {
            for top in preamble_graph.token_facts.operators_of(&classes) {
                closure.follow_mentions(top, &preamble.names);
            }
            for name in classes.iter().filter(|name| preamble.names.contains(name)) {
                let mentions = preamble_graph.mentions_with_forms(*name);
                mentions.for_each(|(top, forms)| closure.follow_mention(top, *name, forms));
            }
        }
        names.iter().for_each(|name| closure.add_target(*name));
        let mut behind = self.token_facts.preamble_end()..self.declarations.len();
        let in_system = match behind.any(|top| self.token_facts.is_of_system(top)) {
            true => Arc::new(self.closure_in_system(names).names),
            false => Arc::clone(&preamble.in_system),
        };
        closure.run();
        ReachingNames { preamble: Some(preamble), in_system, ..closure.finish() }
    }

    fn closure_from_scratch(&self, names: &FxHashSet<Symbol>) -> ReachingNames {
        let mut closure = self.closure_in_system(names);
        let in_system = Arc::new(closure.names.clone());
        // What leads in system headers leads in all code: the other declarations can only add to that.
        closure.in_system = false;
        let others = (0..self.token_facts.end()).filter(|top| !self.token_facts.is_of_system(*top));
        others.for_each(|top| closure.follow_mentions(top, &in_system));
        names.iter().for_each(|name| closure.add_target(*name));
        closure.run();
        ReachingNames { in_system, ..closure.finish() }
    }

    /// The closure over the declarations of system headers alone, from the target names that they declare.
    fn closure_in_system(&self, names: &FxHashSet<Symbol>) -> NameClosure<'l> {
        let facts = self.token_facts;
        let declares = |name: &Symbol| self.declaring_target(*name).any(|top| facts.is_of_system(top));
        let mut closure = NameClosure { in_system: true, ..NameClosure::new(*self) };
        names.iter().filter(|name| declares(name)).for_each(|name| closure.add_target(*name));
        closure.run();
        closure
    }
}

/// The computation of a closure.
struct NameClosure<'l> {
    graph: NameGraph<'l>,
    names: FxHashSet<Symbol>,
    ways: Ways,
    implicit_edges: FxHashSet<(Symbol, Symbol)>,
    /// The names that were reached, or by a further way, but not followed since; each once.
    worklist: Vec<Symbol>,
    queued: FxHashSet<Symbol>,
    /// Only declarations of system headers are followed.
    in_system: bool,
    /// Some operator function or conversion function leads: what gives objects of classes that lead does too, since uses of them
    /// spell no name of theirs.
    uses_objects: bool,
    /// The names of variables and functions that may give objects that lead.
    givers: FxHashSet<Symbol>,
    /// The functions, variables and aliases that uses instantiate and whose mention of a name was found to lead, and whether
    /// it was found to lead from code of GPUs alone.
    followed: FxHashMap<(usize, Symbol), bool>,
    /// Where names of a home are at home ([`NameGraph::homes_from`]).
    homes: FxHashMap<(Symbol, Home), Rc<[Home]>>,
}

impl<'l> NameClosure<'l> {
    fn new(graph: NameGraph<'l>) -> NameClosure<'l> {
        NameClosure {
            graph,
            names: FxHashSet::default(),
            ways: Ways::default(),
            implicit_edges: FxHashSet::default(),
            worklist: Vec::new(),
            queued: FxHashSet::default(),
            in_system: false,
            uses_objects: false,
            givers: FxHashSet::default(),
            followed: FxHashMap::default(),
            homes: FxHashMap::default(),
        }
    }

    /// Notes that some operator function or conversion function leads: what was followed is followed again.
    fn begin_using_objects(&mut self) {
        self.uses_objects = true;
        let Self { names, queued, worklist, .. } = self;
        worklist.extend(names.iter().filter(|name| queued.insert(**name)));
    }

    /// Adds a way in which a name leads, `on_device` for functions too that GPUs alone run.
    fn add(&mut self, name: Symbol, way: Way, on_device: bool) {
        self.names.insert(name);
        if self.ways.add(name, way, on_device) && self.queued.insert(name) {
            self.worklist.push(name);
        }
        if !self.uses_objects && is_used_on_objects(name) {
            self.begin_using_objects();
        }
    }

    /// Adds a target name. One that no declaration makes a kernel template or variable template leads wherever it stands.
    fn add_target(&mut self, name: Symbol) {
        let first = self.graph.declaring_target(name).next().unwrap_or(0);
        self.names.insert(name);
        if self.ways.targets.insert(name, first) != Some(first) && self.queued.insert(name) {
            self.worklist.push(name);
        }
    }

    /// Follows the names in the worklist until none is left.
    fn run(&mut self) {
        while let Some(name) = self.worklist.pop() {
            unwind_if_cancelled();
            self.queued.remove(&name);
            for (top, forms) in self.mentions(name) {
                if !self.in_system || self.graph.token_facts.is_of_system(top) {
                    self.follow_mention(top, name, forms);
                }
            }
        }
    }

    /// The names that were reached, once all were followed.
    fn finish(self) -> ReachingNames {
        let mut implicit_edges: Vec<(Symbol, Symbol)> = self.implicit_edges.into_iter().collect();
        implicit_edges.sort_unstable();
        let (names, ways, givers) = (self.names, self.ways, self.givers);
        ReachingNames { names, ways, implicit_edges, in_system: Arc::default(), givers, preamble: None }
    }

    /// Follows a declaration's mentions of those names among `names`.
    fn follow_mentions(&mut self, top: usize, names: &FxHashSet<Symbol>) {
        let token_facts = self.graph.token_facts;
        if !token_facts.instantiates_when_used(top) && !self.uses_objects {
            return;
        }
        for (name, forms) in token_facts.names_with_forms(top).filter(|(name, _)| names.contains(name)) {
            if self.mentions(name).next().is_some() {
                self.follow_mention(top, name, forms);
            }
        }
    }

    /// The declarations that mention a name that leads, and how.
    fn mentions(&self, name: Symbol) -> impl Iterator<Item = (usize, Forms)> + use<'l> {
        self.graph.leading_mentions(name, self.uses_objects)
    }

    /// Adds the names through which a declaration's mention of `name` is reached: the own names of a template or alias;
    /// for a class also the names of the member functions that mention it. Members of a class that is no template are
    /// roots themselves, so they are not followed, except member templates. An operator or constructor is reached
    /// through objects, whose class is mentioned where they are created.
    fn follow_mention(&mut self, top: usize, name: Symbol, forms: Forms) {
        let NameGraph { declarations, token_facts, .. } = self.graph;
        let declaration = &declarations[top];
        if let Some(from_device) = self.followed.get(&(top, name))
            && (*from_device || !self.graph.leads_on_device(&self.ways, top, (name, forms)))
        {
            return;
        }
        let instantiates = token_facts.instantiates_when_used(top);
        let gives_objects = !instantiates && self.gives_objects(top, name);
        if !instantiates && !gives_objects || !self.graph.may_denote(&self.ways, top, (name, forms)) {
            return;
        }
        // What leads to a target from code of GPUs alone leads to it from any.
        let from_device = self.graph.leads_on_device(&self.ways, top, (name, forms));
        if !from_device && token_facts.names_on_device_alone(top, name) {
            return;
        }
        let Some(class) = token_facts.class(top) else {
            if instantiates && !token_facts.instantiated_by_uses(top).contains(&name) {
                return;
            }
            if instantiates {
                self.followed.insert((top, name), from_device);
            }
            let on_device = from_device && self.graph.may_run_on_device(top);
            self.add_function(top, on_device);
            if gives_objects {
                let own = &declaration.names[..declaration.declared];
                let new = own.iter().filter(|own| self.givers.insert(**own));
                self.worklist.extend(new.filter(|own| self.queued.insert(**own)));
            }
            // A use of an operator does not spell its name; it mentions the classes of its operands.
            if let Some(operator) = declaration.names.iter().find(|name| !is_word(**name)) {
                for operand in token_facts.operands(top) {
                    if self.graph.is_class(*operand) {
                        self.implicit_edges.insert((*operand, *operator));
                        self.add_class(*operand, on_device);
                    }
                }
            }
            return;
        };
        let members: Vec<Mentioning> = class
            .mentioning(name)
            .filter(|one| from_device || !one.on_device_alone)
            .filter(|one| self.graph.may_denote(&self.ways, top, (name, one.forms)))
            .collect();
        let is_template = token_facts.is_template(top);
        let on_device = from_device && (members.is_empty() || members.iter().any(|one| !one.on_host_alone));
        if class.consists_of(name) || members.is_empty() {
            self.note_objects(top);
            if is_template {
                self.add_own_class(top, on_device);
            }
        } else if is_template {
            // Its members are named where they are used, but where it is instantiated explicitly.
            self.add_explicit_class(top, on_device);
        }
        // Constructors and operators of a class use those of its data members and bases.
        let is_object = self.uses_objects && self.is_of_objects(name);
        if !is_template && (is_object || class.consists_of(name) && self.graph.is_class(name)) {
            for whole in self.graph.names_as_class(top) {
                self.implicit_edges.insert((whole, name));
            }
            self.add_own_class(top, from_device);
        }
        let nested = Way::Free(FreeWay { nested_in: Some(top), ..FreeWay::ANYWHERE });
        for member in members {
            let on_device = from_device && !member.on_host_alone;
            if let Some(own) = member.name {
                self.implicit_edges.insert((own, name));
                // Operators of friends are used on objects of the class, too.
                if !member.is_friend || !is_word(own) {
                    self.add(own, Way::MemberOf(top, member.arity), on_device);
                }
                if member.is_free {
                    self.add(own, nested, on_device);
                }
                if member.is_friend {
                    let friend = FreeWay { is_function: true, nested_in: Some(top), ..FreeWay::ANYWHERE };
                    self.add_at_homes(own, top, FreeWay { arity: member.arity, ..friend }, on_device);
                }
                let is_free = member.is_free || member.is_friend;
                if is_free || own.as_str().starts_with('~') || declaration.names.contains(&own) {
                    self.note_objects(top);
                    self.add_own_class(top, on_device);
                }
                // An explicit call may name the destructor by a template parameter.
                if let Some(class) = own.as_str().strip_prefix('~') {
                    self.implicit_edges.insert((sym::TILDE, own));
                    self.add(sym::TILDE, ANYWHERE, on_device);
                    // Of a nested class, the destructor is reached by objects, as its constructors are.
                    if member.is_free {
                        self.add(Symbol::intern(class), nested, on_device);
                    }
                }
            }
            let overrides = || member.name.is_some_and(|own| token_facts.may_override(top, own));
            if member.is_virtual || !member.name.is_some_and(is_word) || overrides() {
                self.note_objects(top);
                self.add_own_class(top, on_device);
            }
        }
    }

    /// Whether a declaration that is no template may give objects that lead by a name that it mentions: a variable, or a
    /// function, whose result may be one.
    fn gives_objects(&self, top: usize, name: Symbol) -> bool {
        let kind = self.graph.declarations[top].kind;
        self.uses_objects
            && matches!(kind, DeclKind::Variable | DeclKind::Function | DeclKind::Prototype)
            && self.is_of_objects(name)
    }

    /// Whether a name is that of a class, or of what gives objects.
    fn is_of_objects(&self, name: Symbol) -> bool {
        self.givers.contains(&name) || self.graph.is_class(name)
    }

    /// Adds the names of a function, variable or alias that leads. Of what is defined outside its class, the class counts
    /// too: a constructor is reached by it.
    fn add_function(&mut self, top: usize, on_device: bool) {
        let declaration = &self.graph.declarations[top];
        let (own, qualifiers) = declaration.names.split_at(declaration.declared);
        // A target has been added as one, by which its own name denotes nothing else.
        let is_target = |name: &Symbol| {
            self.ways.targets.contains_key(name) && self.graph.declaring_target(*name).any(|one| one == top)
        };
        if own.iter().all(is_target) {
            return;
        }
        let (mut is_member, arity) = (false, self.graph.token_facts.arity(top));
        for qualifier in qualifiers {
            // An alias may be a class's. Else a name that no class has is a namespace's.
            let classes = self.graph.classes_before(*qualifier, top).unwrap_or_else(|| vec![ANY_CLASS]);
            for class in classes {
                is_member |= class != ANY_CLASS;
                let is_special = |name: &Symbol| {
                    !is_word(*name) || name == qualifier || self.graph.token_facts.may_override(class, *name)
                };
                let by_objects = class == ANY_CLASS || own.iter().any(is_special);
                if by_objects {
                    self.note_objects(class);
                }
                own.iter().for_each(|name| self.add(*name, Way::MemberOf(class, arity), on_device));
                match by_objects {
                    true => self.add_class(*qualifier, on_device),
                    false => self.add_explicit_class(class, on_device),
                }
            }
        }
        if !is_member {
            let is_function = matches!(declaration.kind, DeclKind::Function | DeclKind::Prototype);
            for name in own {
                let first = match declaration.kind {
                    DeclKind::Alias => top,
                    // The template of which it may be a specialization, too.
                    DeclKind::Variable => self.first_declared(*name, |kind| kind == DeclKind::Variable),
                    _ => 0,
                };
                self.add_at_homes(
                    *name,
                    top,
                    FreeWay { home: None, is_function, nested_in: None, is_explicit: false, arity, first },
                    on_device,
                );
            }
        }
    }

    /// Notes that a class leads by its objects: its own mentions of its name are followed again.
    fn note_objects(&mut self, class: usize) {
        if self.ways.by_objects.insert(class)
            && let Some(declaration) = self.graph.declarations.get(class)
        {
            let own = declaration.names[..declaration.declared].iter();
            let again: Vec<Symbol> = own.copied().filter(|name| self.names.contains(name)).collect();
            self.worklist.extend(again.into_iter().filter(|name| self.queued.insert(*name)));
        }
    }

    /// Adds the ways in which names lead that declarations from `first` on give to other namespaces or classes.
    fn bring_home(&mut self, first: usize) {
        for top in first..self.graph.declarations.len() {
            let declaration = &self.graph.declarations[top];
            let brings = matches!(
                declaration.kind,
                DeclKind::Using | DeclKind::Class | DeclKind::Forward | DeclKind::Alias
            );
            for name in declaration.names[..declaration.declared].iter().filter(|_| brings) {
                let ways = self.ways.free.get(name).cloned().unwrap_or_default();
                let on_device = self.ways.on_device.contains(name);
                for way in ways {
                    let homes = match declaration.kind {
                        DeclKind::Using => way.home.map(|home| self.graph.homes_from(*name, home)),
                        _ => Some(self.graph.homes(*name, top)).filter(|_| !way.is_function),
                    };
                    for home in homes.into_iter().flatten() {
                        let home = home.is_told().then_some(home);
                        self.add(*name, Way::Free(FreeWay { home, ..way }), on_device);
                    }
                }
            }
        }
    }

    /// Adds a way in which a declaration's name leads, where the name is at home.
    fn add_at_homes(&mut self, name: Symbol, top: usize, way: FreeWay, on_device: bool) {
        let (graph, home) = (self.graph, self.graph.lookup.home(top));
        let known = self.homes.entry((name, home)).or_insert_with(|| graph.homes_from(name, home).into());
        for home in Rc::clone(known).iter().copied() {
            let home = home.is_told().then_some(home);
            self.add(name, Way::Free(FreeWay { home, ..way }), on_device);
        }
    }

    /// Adds the names by which a class that leads is reached.
    fn add_own_class(&mut self, top: usize, on_device: bool) {
        let declaration = &self.graph.declarations[top];
        for name in self.graph.names_as_class(top) {
            if declaration.names[..declaration.declared].contains(&name) {
                let way = self.way_of_class(name);
                self.add_at_homes(name, top, way, on_device);
            } else {
                self.add_class(name, on_device);
            }
        }
    }

    /// Adds the names by which a class is instantiated explicitly that leads by its members.
    fn add_explicit_class(&mut self, top: usize, on_device: bool) {
        for name in self.graph.names_as_class(top) {
            let way = FreeWay { is_explicit: true, ..self.way_of_class(name) };
            self.add(name, Way::Free(way), on_device);
        }
    }

    /// Adds the name of a class that leads, whichever class of that name it is.
    fn add_class(&mut self, name: Symbol, on_device: bool) {
        let is_class = |top: &usize| {
            matches!(
                self.graph.declarations[*top].kind,
                DeclKind::Class | DeclKind::Forward | DeclKind::Alias
            )
        };
        let known = self.graph.known(name);
        let classes: Vec<usize> = known.iter().copied().filter(is_class).collect();
        let way = self.way_of_class(name);
        if classes.is_empty() {
            self.add(name, ANYWHERE, on_device);
        }
        classes.into_iter().for_each(|top| self.add_at_homes(name, top, way, on_device));
    }

    /// How the class of a name leads, wherever it is declared.
    fn way_of_class(&self, name: Symbol) -> FreeWay {
        let (arity, first) = (Arity::ANY, self.first_of_class(name));
        FreeWay { home: None, is_function: false, nested_in: None, is_explicit: false, arity, first }
    }

    /// The first declaration that can mean the class of a name. An elaborated type specifier may declare it where its name is
    /// no declaration's ([basic.scope.pdecl]); of an alias, none does.
    fn first_of_class(&self, name: Symbol) -> usize {
        let kinds = self.graph.known(name).iter().map(|top| self.graph.declarations[*top].kind);
        let is_alias = kinds.clone().any(|kind| kind == DeclKind::Alias)
            && kinds.clone().all(|kind| !matches!(kind, DeclKind::Class | DeclKind::Forward));
        if is_alias { self.first_declared(name, |kind| kind == DeclKind::Alias) } else { 0 }
    }

    /// The first declaration of a name that is of some kinds; the first of all where there is none.
    fn first_declared(&self, name: Symbol, is_meant: impl Fn(DeclKind) -> bool) -> usize {
        let declarations = self.graph.declarations;
        let mut all = self.graph.known(name).iter().copied();
        all.find(|top| is_meant(declarations[*top].kind)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};
    use crate::variance::variance;

    use super::super::kept::KeptIndex;
    use super::super::unit::IndexedUnit;
    use super::*;
    use crate::facts::lower::memo::Memo;

    const HEADER: &str = "
template <class T> __global__ void filled(T *out) { }
struct Grid;
template <class T> T operator+(T left, const Late &right) { filled<T><<<1, 1>>>(0); return left; }
template <class T> T operator-(T left, const Grid &right) { filled<T><<<1, 1>>>(0); return left; }
template <class T> struct Filler { void run(T *out) { filled<T><<<1, 1>>>(out); } void rest() { helper(T()); } };
struct Holder { Late member; Filler<int> own; template <class T> void go(T of) { own.run(of); } };
template <class T> void uses(T of) { Holder holder; holder.go(of); }
void Late();
template <class T> __device__ void nested(T of);
template <class T> __device__ void around(T of) { nested(of); uses(of); }
template <class T> struct Derived : Late { void all(T of) { run(of); } };
template <class T> void member(T of) { of.run(1); Derived<T>().all(of); }
";

    /// The names of a closure, and the targets of the implicit edges from each.
    type Closures = (FxHashSet<Symbol>, Vec<(Symbol, Vec<Symbol>)>);

    /// The closure of a unit's kernel templates: computed from scratch, and from the closure over the preamble.
    fn closures_of(main: &str) -> [Closures; 2] {
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let sources = Sources::new();
        sources.add(Path::new("h.h"), HEADER.into());
        sources.add(Path::new("a.cu"), format!("#include \"h.h\"\n{main}"));
        let unit = TranslationUnit::new(Path::new("a.cu"), passes);
        let mut pp = preprocess(&unit, &sources, &Arc::default());
        pp.keep(pp.headers());
        let all = unit.passes.all();
        let (variance, memo, left) = (variance(&pp, all), Memo::new(), KeptIndex::default());
        [None, Some(&left)].map(|last| {
            let unit = IndexedUnit::new(&pp, &variance, &memo, all, last);
            assert_eq!(unit.token_facts().preamble_end() > 0, last.is_some());
            let reached = unit.name_graph().closure(&unit.token_facts().kernels());
            let mut names: Vec<Symbol> = reached.names.iter().copied().collect();
            names.sort_unstable();
            let implicit_edges = |name: &Symbol| {
                let mut to: Vec<Symbol> = reached.implicit_edges(*name).collect();
                to.sort_unstable();
                to.dedup();
                (*name, to)
            };
            let implicit_edges = names.iter().map(implicit_edges).collect();
            (reached.names, implicit_edges)
        })
    }

    #[test]
    fn a_closure_from_the_preamble_equals_one_from_scratch() {
        let mut sizes: Vec<usize> = Vec::new();
        for main in [
            "void launch() { filled<int><<<1, 1>>>(0); }",
            "template <class T> void helper(T of) { filled<T><<<1, 1>>>(&of); }",
            "struct Late { template <class T> void run(T of) { filled<T><<<1, 1>>>(&of); } };",
            "struct Late { };",
            "struct Grid { };",
            "template <class T> __global__ void own(T *out) { }\ntemplate <class T> void helper(T of) { own<T>(0); }",
            "template <class T> struct Grid { Holder held; }; using Late = Grid<int>;",
            "template <class T> __device__ void nested(T of) { filled<T><<<1, 1>>>(&of); }",
            "template <class T> __host__ __device__ void helper(T of) { around(of); }",
            "struct Late { template <class T> void run(T of); }; template <class T> void Late::run(T of) { filled<T><<<1, 1>>>(&of); }",
            "template <class T> void run(T of) { filled<T><<<1, 1>>>(&of); }",
        ] {
            let [from_scratch, from_preamble] = closures_of(main);
            assert_eq!(from_scratch, from_preamble, "{main}");
            sizes.push(from_scratch.0.len());
        }
        assert!(sizes.iter().any(|size| *size != sizes[0]), "{sizes:?}");
    }

    /// Which of some names lead to the kernel template `filled`.
    fn leading(text: &str, names: &str) -> String {
        let [(all, _), _] = closures_of(text);
        let lead = |name: &&str| all.contains(&Symbol::intern(name));
        names.split(' ').filter(lead).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn functions_of_devices_alone_lead_by_those_that_devices_run() {
        let text = "
            template <class T> void launch(T of) { filled<T><<<1, 1>>>(&of); }
            template <class T> __device__ void calls_one_of_hosts(T of) { launch(of); }
            template <class T> __host__ __device__ void calls_it_on_hosts(T of) { launch(of); }
            template <class T> __device__ void calls_one_of_both(T of) { calls_it_on_hosts(of); }
            template <class T> __host__ __device__ void both(T of) { filled<T><<<1, 1>>>(&of); }
            template <class T> __device__ void nests(T of) { both(of); }
            template <class T> __device__ void declared(T of);
            template <class T> void declared(T of) { both(of); }
            template <class T> __device__ void calls_declared(T of) { declared(of); }
            template <class T> struct Both {
                void host(T of) { filled<T><<<1, 1>>>(&of); }
                __device__ void device(T of) { launch(of); }
                __device__ void own(T of) { both(of); }
            };";
        assert_eq!(
            leading(text, "launch calls_one_of_hosts calls_it_on_hosts calls_one_of_both both nests"),
            "launch calls_it_on_hosts both nests"
        );
        assert_eq!(
            leading(text, "declared calls_declared Both host device own"),
            "declared calls_declared Both host own"
        );
    }

    #[test]
    fn a_namespace_leads_nowhere_by_a_class_in_it() {
        let text = "
            namespace library { template <class T> struct size; }
            template <class T> struct Outer { struct Inner; };
            template <class T> struct library::size<T &> { };
            template <class T> struct library::size<T *> { void go(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> struct Outer<T>::Inner { Inner() { filled<T><<<1, 1>>>(0); } };
            template <class T> int counted(T) { return library::other; }
            template <class T> void of_outer(T) { typename Outer<T>::Inner(); }";
        assert_eq!(leading(text, "size library counted Outer Inner of_outer"), "size Outer Inner of_outer");
    }

    #[test]
    fn what_function_bodies_declare_is_no_member_of_the_class() {
        let text = "
            template <class T> struct Driver {
                void run(T of) {
                    call_later(of, [&] { auto stream = 0; filled<T><<<1, 1>>>(&of); });
                    auto queued = [](auto one) { filled<T><<<1, 1>>>(&one); };
                }
            };
            template <class T> void other(T of) { of.call_later(1); of.queued(2); }";
        assert_eq!(leading(text, "run other call_later queued"), "run");
    }

    #[test]
    fn an_alias_of_a_fundamental_type_is_no_operand_of_an_operator() {
        let text = "
            typedef unsigned long word; using count_t = word;
            template <class T> struct Bits { }; using Flags = Bits<int>;
            template <class T> T operator<<(Flags left, count_t right) { filled<T><<<1, 1>>>(0); return T(); }
            template <class T> T shifts(Bits<T> bits) { return bits; }
            template <class T> count_t counts(T of) { word all = of; return all; }";
        assert_eq!(leading(text, "Flags Bits count_t word shifts counts"), "Flags");
    }

    #[test]
    fn a_kernel_is_named_behind_its_declaration_where_no_type_is() {
        let text = "
            template <class T> struct Scale { void run(T of) { helper(Scale<T>()); } };
            template <class T> void before(T of) { Scale<T> scale; }
            template <class T> void launches(T of) { Scale<T><<<1, 1>>>(of); }
            template <class T> __global__ void Scale(T of) { }
            template <class T> void of_type(T of) { typename Scale<T>::type x; }
            template <class T> void of_function(T of) { take(Scale<T>); }";
        assert_eq!(leading(text, "before launches of_type of_function"), "launches of_function");
    }

    #[test]
    fn the_declared_names_of_members_mention_nothing() {
        let text = "
            template <class T> void copy(T of) { filled<T><<<1, 1>>>(&of); }
            template <class T> struct Traits { void run(T of) { copy(of); } Traits() { copy(T()); } };
            template <class T> struct Atom { static void copy(T of) { } };
            template <class T> struct Calls { static void copy(T of) { copy(of); } };
            template <class T> struct Traits<T *> { void run(T of) { } };
            template <class T> void of_atom(T of) { Atom<T>::length(of); }
            template <class T> void of_traits(T of) { Traits<T>::run(of); }
            template <class T> struct Converts { operator Traits<T>() { return {}; } };
            template <class T> struct Friendly { friend Traits<T> traits(T of) { return {}; } };
            template <class T> struct Derived : Traits<T> { Derived(T of) : Traits<T>() { } };";
        assert_eq!(
            leading(text, "copy Traits Atom Calls of_atom of_traits Converts Friendly Derived"),
            "copy Traits of_traits Converts Friendly Derived"
        );
    }

    #[test]
    fn a_loop_over_a_range_and_a_structured_binding_call_functions_that_they_do_not_name() {
        let text = "
            template <class T> struct All {
                T *begin() { filled<T><<<1, 1>>>(0); return 0; }
                template <int N> T get() { filled<T><<<1, 1>>>(0); return 0; }
            };
            template <class R> void loops(R &range) { for (const auto &one : range) { } }
            template <class R> void loops_after_another(R &range) { for (int n = 0; auto one : range) { } }
            template <class R> void counts(R &range) { for (int n = range ? 1 : 2; n < 3; ++n) { } }
            template <class P> void binds(P pair) { const auto &[first, second] = pair; }
            template <class P> void of_one(P pair) { auto first = [] { return 1; }; auto second[1] = {1}; }";
        assert_eq!(
            leading(text, "begin get loops loops_after_another counts binds of_one"),
            "begin get loops loops_after_another binds"
        );
    }

    #[test]
    fn a_constant_that_calls_nothing_reads_no_more_than_constants() {
        let text = "
            template <class T> struct Driver { Driver() { filled<T><<<1, 1>>>(0); } static constexpr int size = 1; };
            template <class T> struct Reads {
                static constexpr int bytes = Driver<T>::size * sizeof(T);
                static constexpr int given = Given<Driver<T>>::size;
                static constexpr int counted = Driver<T>::count();
                static constexpr auto braced = Driver<T>{}.size;
                static inline auto added = Driver<T>::object + 1;
                static const int old = Driver<T>::size;
            };
            template <class T> int of_bytes(T of) { return Other<T>::bytes; }
            template <class T> int of_given(T of) { return Other<T>::given; }
            template <class T> int of_counted(T of) { return Other<T>::counted; }";
        assert_eq!(
            leading(text, "bytes given counted braced added old of_bytes of_given of_counted Driver"),
            "given counted braced added of_given of_counted Driver"
        );
    }

    #[test]
    fn what_is_no_function_leads_behind_its_first_declaration() {
        let text = "
            template <class T> struct Later;
            template <class T> constexpr int length = 1;
            template <class T> void before(T of) { Runner<T> runner; }
            template <class T> void found_by_arguments(T of) { launch(of); }
            template <class T> void of_later(T of) { Later<T> later; }
            template <class T> int of_length(T of) { return length<T>; }
            typedef struct Elaborated Named;
            template <class T> void of_elaborated(T of) { Elaborated one(of); }
            struct Elaborated { template <class T> Elaborated(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> int of_member(T of) { typename T::Runner runner; }
            template <class T> void launch(T of) { filled<T><<<1, 1>>>(&of); }
            template <class T> struct Later { Later(T of) { launch(of); } };
            template <class T> constexpr int length<T *> = launched(Later<T>());
            template <class T> using Runner = Later<T>;
            template <class T> void behind(T of) { Runner<T> runner; }";
        assert_eq!(
            leading(text, "before found_by_arguments of_later of_length of_elaborated of_member behind"),
            "found_by_arguments of_later of_length of_elaborated behind"
        );
    }

    #[test]
    fn where_a_call_operator_leads_so_does_what_gives_objects_to_call() {
        let calls = "
            struct Launch { template <class T> void NAME(T of) const { filled<T><<<1, 1>>>(&of); } };
            const Launch launcher{};
            Launch made();
            struct Giver { Launch give() { return {}; } };
            extern Giver giver;
            int unrelated();
            template <class T> void by_variable(T of) { launcher(of); }
            template <class T> void by_function(T of) { auto made_one = made(); made_one(of); }
            template <class T> void by_another(T of) { giver.give()(of); }
            template <class T> void by_none(T of) { unrelated(); }";
        let names = "launcher made Giver giver unrelated by_variable by_function by_another by_none";
        assert_eq!(
            leading(&calls.replace("NAME", "operator()"), names),
            "launcher made Giver giver by_variable by_function by_another"
        );
        assert_eq!(leading(&calls.replace("NAME", "run"), names), "");
    }

    #[test]
    fn members_lead_where_a_member_can_be_meant() {
        let text = "
            struct Part { template <class T> void start(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> void start(const char *, T) {}
            template <class T> void calls_the_free_one(T of) { start(\"\", of); }
            template <class T> void of_an_object(T of) { of.start(1); }
            template <class T> void qualified(T of) { (of.*(&Part::start<T>))(of); }
            template <class T> struct Mine : Part { void inherited(T of) { start(of); } };
            template <class P> struct Open : P { void dependent(P of) { start(of); } };
            template <class T> struct Unrelated { void unrelated(T of) { start(\"\", of); } };";
        assert_eq!(
            leading(text, "start calls_the_free_one of_an_object qualified inherited dependent unrelated"),
            "start of_an_object qualified inherited dependent"
        );
    }

    #[test]
    fn qualified_names_lead_where_their_namespaces_have_what_leads() {
        let text = "
            namespace lib { namespace v1 { template <class T> void fill(T of) { filled<T><<<1, 1>>>(&of); } } using v1::fill; }
            namespace other { template <class T> void fill(T of, int) { } namespace std { template <class T> void copy(T of) { } } }
            namespace std { template <class T> void copy(T of) { lib::fill(of); } }
            namespace alias = lib;
            namespace opened { using namespace lib; }
            template <class T> void of_lib(T of) { lib::fill(of); }
            template <class T> void of_other(T of) { other::fill(of, 1); }
            template <class T> void of_alias(T of) { alias::fill(of); }
            template <class T> void of_opened(T of) { opened::fill(of); }
            template <class T> void of_class(T of) { T::fill(of); }
            template <class T> void by_arguments(T of) { fill(of); }
            template <class T> void as_value(T of) { take(&fill); }
            template <class T> void as_type(T of) { typename fill::type x; }
            template <class T> void of_std(T of) { std::copy(of); }
            namespace other { template <class T> void of_inner_std(T of) { std::copy(of); } }
            template <class T> void in_block(T of) { namespace short_name = lib; short_name::fill(of); }";
        assert_eq!(
            leading(
                text,
                "of_lib of_other of_alias of_opened of_class by_arguments as_value as_type of_std of_inner_std in_block"
            ),
            "of_lib of_alias of_opened by_arguments of_std of_inner_std in_block"
        );
    }

    #[test]
    fn functions_lead_where_they_are_called_with_as_many_arguments_as_they_take() {
        let text = "
            template <class T> struct Driver { void run(T of, int n = 1) { filled<T><<<n, 1>>>(&of); } };
            template <class T> void fill(T of) { filled<T><<<1, 1>>>(&of); }
            template <class... T> void fill_all(int n, T... all) { (fill(all), ...); }
            template <class D> void with_none(D &driver) { driver.run(); }
            template <class D> void with_one(D &driver) { driver.run(1); }
            template <class D> void with_three(D &driver) { driver.run(1, 2, 3); }
            template <class D, class... A> void with_any(D &driver, A... all) { driver.run(all...); }
            template <class D> void named(D &driver) { auto run = &D::run; }
            template <class T> void with_two(T of) { fill(of, 1); }
            template <class T> void with_less(T a, T b) { fill(a < b, b > (a)); }
            template <class T> void with_many(T of) { fill_all(1, of, of, of); }";
        let names = "with_none with_one with_three with_any named with_two with_less with_many";
        assert_eq!(leading(text, names), "with_one with_any named with_less with_many");
    }

    #[test]
    fn what_a_declaration_names_itself_hides_what_leads() {
        let text = "
            template <class T> struct Made { Made() { filled<T><<<1, 1>>>(0); } };
            template <class T> void merge(T of) { filled<T><<<1, 1>>>(&of); }
            template <class Made> void of_parameter(Made of) { Made x; }
            template <class T, class U = Made<T>, class Made = int> void of_default(T of) { }
            template <class T> struct Hides { using Made = T; void hidden() { Made x; } void merge(T of); void calls(T of) { merge(of); } };
            template <class T> struct Nests { struct Made { T value; }; void nested() { Made x; } };
            template <class T> struct Renames { using Made = ::Made<T>; void renamed() { Made x; } };
            template <class T> struct Aliases { using Own = Made<T>; using Other = Own; void aliased() { Other x; } };
            template <class T> void of_block(T of) { using Made = T; Made x; }
            template <class T> void before_block(T of) { Made<T> x; { using Made = T; Made y; } }";
        assert_eq!(
            leading(
                text,
                "of_parameter of_default hidden calls nested renamed aliased of_block before_block Hides Nests Renames"
            ),
            "of_default renamed aliased before_block Renames"
        );
    }

    #[test]
    fn a_class_leads_by_its_objects_and_where_it_is_instantiated_explicitly() {
        let text = "
            template <class T> struct Named { void run(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> struct Base { virtual void go(T of) { } };
            template <class T> struct Overrides : Base<T> { void go(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> struct Destroyed { ~Destroyed() { filled<T><<<1, 1>>>(0); } };
            template <class T> struct Holds { Destroyed<T> held; };
            template <class T> void of_named(T of) { Named<T> x; }
            template <class T> void runs(T of) { Named<T>().run(of); }
            template <class T> void of_overrides(T of) { Overrides<T> x; }
            template <class T> void of_holds(T of) { Holds<T> x; }";
        assert_eq!(
            leading(text, "Named Overrides Destroyed Holds of_named runs of_overrides of_holds"),
            "Named Overrides Destroyed Holds runs of_overrides of_holds"
        );
    }
}
