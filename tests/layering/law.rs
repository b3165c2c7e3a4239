//! The law of the layers: a child of a folder uses only children that stand above it in the folder's `mod` lines.
//!
//! In: the uses of a crate. Out: [`Law`]: the uses that break the law, and by folder what its children use of one
//! another, with the circles in it. Knows nothing of sources.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{ModuleId, Tree};
use super::uses::{Use, UseKind};

/// Files that use each other, by the reason why that is left.
pub(crate) struct Circle<'a> {
    /// The path of the folder's module: `facts::meaning`.
    pub(crate) folder: &'a str,
    /// The names of its children, or `mod.rs` for what the folder's own file defines.
    pub(crate) members: &'a [&'a str],
    pub(crate) reason: &'a str,
}

/// The exemptions.
pub(crate) struct Exceptions<'a> {
    /// Children of the root that may use less than what stands above them.
    pub(crate) narrower: &'a [(&'a str, &'a [&'a str])],
    pub(crate) circles: &'a [Circle<'a>],
    /// Names of methods of types from elsewhere that this crate's own types have too.
    pub(crate) elsewhere: &'a [&'a str],
}

/// A member of a folder: a child, or the folder's own file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Member {
    Own,
    Child(ModuleId),
}

/// A use from one member of a folder to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Step {
    pub(crate) folder: ModuleId,
    pub(crate) from: Member,
    pub(crate) to: Member,
}

/// The verdict on the uses of a crate.
pub(crate) struct Law<'a> {
    tree: &'a Tree,
    exceptions: &'a Exceptions<'a>,
    /// Every step that is certain, with its uses. A method that several members define is no certain step.
    steps: BTreeMap<Step, Vec<&'a Use>>,
    /// The violations, by the step of each use in the innermost folder.
    broken: BTreeMap<Step, Vec<&'a Use>>,
    /// The names of [`Exceptions::elsewhere`] that excuse a use.
    excused: BTreeSet<&'a str>,
}

impl<'a> Law<'a> {
    pub(crate) fn new(tree: &'a Tree, uses: &'a [Use], exceptions: &'a Exceptions<'a>) -> Law<'a> {
        let (steps, broken, excused) = Default::default();
        let mut law = Law { tree, exceptions, steps, broken, excused };
        for used in uses {
            law.add(used);
        }
        law
    }

    /// A line for each use that breaks the law, and for each exception that is none.
    pub(crate) fn violations(&self) -> Vec<String> {
        let uses =
            self.broken.iter().flat_map(|(step, uses)| uses.iter().map(|used| self.sentence(*step, used)));
        uses.chain(self.idle_exceptions()).collect()
    }

    /// The description of a use that breaks the law.
    fn sentence(&self, step: Step, used: &Use) -> String {
        let place = format!("src/{}:{}", self.tree.modules[used.from].file.display(), used.line);
        let (from, to) = (self.name(step.from), self.name(step.to));
        let folder = self.tree.path(step.folder);
        let why = match step.to {
            Member::Own => format!("`{from}` may not use what {folder} itself defines"),
            Member::Child(_) => format!("in {folder}, `{from}` may not use `{to}`"),
        };
        format!("{place}: {why}: {}", used.what)
    }

    /// The folders that have children, with what their members use of one another.
    pub(crate) fn folders(&self) -> BTreeMap<ModuleId, BTreeMap<Member, BTreeSet<Member>>> {
        let mut folders: BTreeMap<_, BTreeMap<_, BTreeSet<_>>> = BTreeMap::new();
        for (id, module) in self.tree.modules.iter().enumerate() {
            let children = module.children.iter().filter(|child| self.tree.modules[**child].room == **child);
            let members: BTreeMap<_, _> =
                children.map(|child| (Member::Child(*child), BTreeSet::new())).collect();
            if !members.is_empty() {
                folders.entry(id).or_insert(members).insert(Member::Own, BTreeSet::new());
            }
        }
        for step in self.steps.keys().chain(self.broken.keys()) {
            let members = folders.entry(step.folder).or_default();
            members.entry(step.from).or_default().insert(step.to);
        }
        folders
    }

    /// The uses behind a step, those that break the law among them.
    pub(crate) fn uses(&self, step: Step) -> BTreeSet<&'a Use> {
        [&self.steps, &self.broken]
            .into_iter()
            .filter_map(|steps| steps.get(&step))
            .flatten()
            .copied()
            .collect()
    }

    /// The steps of a folder that break the law.
    pub(crate) fn broken_in(&self, folder: ModuleId) -> impl Iterator<Item = (Step, &[&'a Use])> {
        let broken = self.broken.iter().filter(move |(step, _)| step.folder == folder);
        broken.map(|(step, uses)| (*step, uses.as_slice()))
    }

    pub(crate) fn name(&self, member: Member) -> &'a str {
        match member {
            Member::Own => "mod.rs",
            Member::Child(child) => &self.tree.modules[child].name,
        }
    }

    fn add(&mut self, used: &'a Use) {
        let steps: BTreeSet<_> = used.to.iter().filter_map(|to| self.step(used.from, *to)).collect();
        // A file may use what stands below it, and itself.
        let is_free = steps.is_empty();
        if !is_free && used.to.iter().all(|to| self.step(used.from, *to).is_some()) {
            let is_permitted = steps.iter().any(|step| self.permits(*step));
            let is_excused = self.excuses(used);
            if !is_permitted && !is_excused {
                // What is nearest is likeliest to be meant.
                let nearest = steps.iter().max_by_key(|step| self.tree.ancestry(step.folder).count());
                self.broken.entry(*nearest.expect("not empty")).or_default().push(used);
            }
            if let (true, Some(step)) = (steps.len() == 1 && !is_excused, steps.first()) {
                self.steps.entry(*step).or_default().push(used);
            }
        }
        self.add_downward(used);
    }

    /// A folder's own file uses its children: no violation, but a part of circles.
    fn add_downward(&mut self, used: &'a Use) {
        if used.kind == UseKind::Method {
            return;
        }
        for to in &used.to {
            let path: Vec<_> = self.tree.ancestry(*to).collect();
            let below = path.iter().position(|module| *module == used.from).and_then(|at| at.checked_sub(1));
            if let Some(below) = below {
                let step = Step { folder: used.from, from: Member::Own, to: Member::Child(path[below]) };
                self.steps.entry(step).or_default().push(used);
            }
        }
    }

    /// The step from a file to another: none to itself and to what stands below it in the tree.
    fn step(&self, from: ModuleId, to: ModuleId) -> Option<Step> {
        let from_path: Vec<_> = self.tree.ancestry(from).collect();
        let to_path: Vec<_> = self.tree.ancestry(to).collect();
        let common = from_path.iter().rev().zip(to_path.iter().rev()).take_while(|(a, b)| a == b).count();
        let folder = from_path[from_path.len() - common];
        let from = *from_path.get(from_path.len().checked_sub(common + 1)?)?;
        let to = to_path.len().checked_sub(common + 1).map_or(Member::Own, |at| Member::Child(to_path[at]));
        Some(Step { folder, from: Member::Child(from), to })
    }

    fn permits(&self, step: Step) -> bool {
        let (Member::Child(from), Member::Child(to)) = (step.from, step.to) else {
            return self.circle(step).is_some();
        };
        let (from_name, to_name) = (self.name(step.from), self.name(step.to));
        let narrower =
            self.exceptions.narrower.iter().find(|(name, _)| step.folder == 0 && *name == from_name);
        if let Some((_, allowed)) = narrower {
            return allowed.contains(&to_name);
        }
        let place = |child| self.tree.modules[step.folder].children.iter().position(|other| *other == child);
        place(to) < place(from) || self.circle(step).is_some()
    }

    fn circle(&self, step: Step) -> Option<&Circle<'a>> {
        let folder = self.tree.path(step.folder);
        let has = |circle: &&Circle, member| circle.members.contains(&self.name(member));
        self.exceptions
            .circles
            .iter()
            .find(|circle| circle.folder == folder && has(circle, step.from) && has(circle, step.to))
    }

    /// A method of this name may be one of a type from elsewhere.
    fn excuses(&mut self, used: &'a Use) -> bool {
        let is_excused =
            used.kind == UseKind::Method && self.exceptions.elsewhere.contains(&method_name(used));
        if is_excused {
            self.excused.insert(method_name(used));
        }
        is_excused
    }

    fn idle_exceptions(&self) -> Vec<String> {
        let mut idle = Vec::new();
        for name in self.exceptions.elsewhere {
            if !self.excused.contains(name) {
                idle.push(format!(
                    "`{name}` excuses nothing: it can leave the list of methods from elsewhere"
                ));
            }
        }
        let folders = self.folders();
        for circle in self.exceptions.circles {
            let members: BTreeSet<_> = circle.members.iter().copied().collect();
            let found = folders.iter().filter(|(folder, _)| self.tree.path(**folder) == circle.folder);
            let mut found = found.flat_map(|(_, members)| components(members));
            let is_circle = found.any(|component| {
                component.len() > 1
                    && component.iter().map(|member| self.name(*member)).collect::<BTreeSet<_>>() == members
            });
            if !is_circle {
                idle.push(format!("{}: {} is no circle", circle.folder, circle.members.join(", ")));
            }
            if circle.reason.is_empty() {
                idle.push(format!("{}: a circle that is left needs a reason", circle.folder));
            }
        }
        idle
    }
}

fn method_name(used: &Use) -> &str {
    used.what.trim_start_matches('.').trim_end_matches("()")
}

/// The strongly connected components of a graph, used ones first, each with its members in their own order.
pub(crate) fn components(graph: &BTreeMap<Member, BTreeSet<Member>>) -> Vec<Vec<Member>> {
    let reach = |from: Member| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(member) = open.pop() {
            for next in graph.get(&member).into_iter().flatten() {
                if reached.insert(*next) {
                    open.push(*next);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<_, _> = graph.keys().map(|member| (*member, reach(*member))).collect();
    let mut components: Vec<Vec<Member>> = Vec::new();
    let mut placed = BTreeSet::new();
    // The first component in the present order of which all that it uses is placed comes next.
    while placed.len() < graph.len() {
        let component = |member: &Member| -> Vec<Member> {
            let mutual = |other: &&Member| {
                *other == member || reached[member].contains(other) && reached[*other].contains(member)
            };
            graph.keys().filter(mutual).copied().collect()
        };
        let is_ready = |members: &Vec<Member>| {
            members
                .iter()
                .flat_map(|member| &graph[member])
                .all(|used| placed.contains(used) || members.contains(used))
        };
        let open = graph.keys().filter(|member| !placed.contains(*member));
        let next = open.map(component).find(is_ready).expect("components have no circles");
        placed.extend(next.iter().copied());
        components.push(next);
    }
    components
}
