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
use super::one_declaration::is_word;

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
        let header_namespaces = graph.namespaces_that_lead(self.ways.targets.keys());
        let added_to = graph.namespaces_added_to();
        LeadingNames {
            anywhere,
            on_device,
            in_system,
            members,
            objects,
            created,
            explicit,
            header_namespaces,
            added_to,
        }
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
        let (Some(preamble_facts), Some(closures)) = (self.token_facts.preamble_alone(), self.closures)
        else {
            return self.closure_from_scratch(names);
        };
        let mut closure = NameClosure::new(*self);
        // What the headers lead to is the same whatever stands behind them.
        let lookup = self.lookup.cut_short(self.token_facts.preamble_end());
        let token_facts = self.token_facts.among(&preamble_facts);
        let preamble_graph = NameGraph { token_facts, lookup: &lookup, ..*self };
        let own: FxHashSet<Symbol> =
            names.iter().copied().filter(|name| preamble_graph.token_facts.is_kernel(*name)).collect();
        let preamble = closures.get_or_find(own, |names| {
            let of_more = closures.of_more(names);
            let known = of_more.and_then(|known| preamble_graph.closure_without_others(names, &known));
            known.unwrap_or_else(|| preamble_graph.closure_from_scratch(names))
        });
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

    /// The closure of some target names, where that of more is known and each of the others stands alone: they are left out.
    fn closure_without_others(
        &self,
        names: &FxHashSet<Symbol>,
        known: &ReachingNames,
    ) -> Option<ReachingNames> {
        let others = known.ways.targets.keys().filter(|name| !names.contains(name));
        let others: Vec<Symbol> = others.copied().collect();
        if known.preamble.is_some() || !others.iter().all(|name| self.stands_alone(known, *name)) {
            return None;
        }
        let mut own = known.clone();
        let mut in_system = (*known.in_system).clone();
        for name in &others {
            own.names.remove(name);
            own.ways.targets.remove(name);
            in_system.remove(name);
        }
        Some(ReachingNames { in_system: Arc::new(in_system), ..own })
    }

    /// Whether a target name of a closure leads nowhere but to itself, nothing else leads to it, and it is nothing else's name.
    fn stands_alone(&self, closure: &ReachingNames, name: Symbol) -> bool {
        let ReachingNames { ways, names, givers, implicit_edges, .. } = closure;
        let uses_objects = names.iter().any(|name| is_used_on_objects(*name));
        let declares = |top: usize| self.declaring_target(name).any(|other| other == top);
        let mut mentions = self.leading_mentions(name, uses_objects);
        let mut own = self.declaring_target(name).flat_map(|top| {
            let mentions = self.token_facts.names_with_forms(top);
            mentions.map(move |mention| (top, mention))
        });
        !ways.free.contains_key(&name)
            && !ways.members.contains_key(&name)
            && !ways.on_device.contains(&name)
            && !givers.contains(&name)
            && !implicit_edges.iter().any(|(from, to)| *from == name || *to == name)
            && mentions.all(|(top, forms)| declares(top) || !closure.leads_from(*self, top, (name, forms)))
            && own.all(|(top, mention)| mention.0 == name || !closure.leads_from(*self, top, mention))
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
