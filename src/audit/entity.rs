//! Whether a finding about sources and a kernel or variable of an artifact are about the same thing.
//!
//! In: names as demanglers spell them and as findings about sources do; sides of findings. Out: answers of three values,
//! since a type that is spelled otherwise may be the same type, and an image may be made for a target that the sources
//! were not read for.

use crate::artifact::{Brackets, function};
use crate::finding::{Defect, Finding};
use crate::rules::{DEFINITION, INSTANTIATION, LAYOUT, SIGNATURE};
use crate::target::{Arch, Pass, PassSet, Passes, Suffix};

/// How well a finding about sources fits a kernel or variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fit {
    /// It is about the template, and names no instantiation that is spelled so; or about a class that is a parameter.
    Related,
    /// It names this instantiation as the one that some passes have in place of the host's.
    Instead,
    /// It is about this very kernel, variable or instantiation.
    Same,
}

/// How well a finding about sources fits a kernel or variable, by the latter's name as C++ spells it.
pub(super) fn fit(source: &Finding, name: &str) -> Option<Fit> {
    let named = Name::of(name);
    match source.rule {
        DEFINITION | SIGNATURE => (Name::of(&source.entity).path == named.path).then_some(Fit::Same),
        INSTANTIATION if Name::of(&source.entity).path != named.path => None,
        INSTANTIATION => Some(match &source.defect {
            Defect::InstantiationMissing { host, further, instead, .. } => {
                let same = |spelled: &String| Name::of(spelled).arguments == named.arguments;
                match () {
                    () if std::iter::once(host).chain(further).any(same) => Fit::Same,
                    () if instead.iter().any(same) => Fit::Instead,
                    () => Fit::Related,
                }
            }
            _ => Fit::Related,
        }),
        LAYOUT => mentions(name, &source.entity).then_some(Fit::Related),
        _ => None,
    }
}

/// A name takes a class: as a parameter, or as an argument of a template.
fn mentions(name: &str, class: &str) -> bool {
    // A lambda is named by the function around it: `scale(float *data)::{lambda #1}`.
    let class = class.split('(').next().unwrap_or(class);
    let class = Name::of(class).path;
    let last = class.rsplit("::").next().unwrap_or(&class);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    !last.is_empty() && name.split(|c| !is_word(c)).any(|word| word == last)
}

/// A kernel's or variable's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    /// Its scopes and itself, without template arguments and unnamed namespaces: `lib::fill`.
    path: String,
    /// Its own template arguments, as far as they are spelled alike everywhere; empty for none.
    arguments: String,
}

impl Name {
    /// Takes `void (anonymous namespace)::lib::fill<int const*>(int const*)` apart.
    pub(super) fn of(readable: &str) -> Name {
        let name = function(readable).replace("(anonymous namespace)::", "");
        let (mut path, mut arguments) = (String::new(), String::new());
        let mut brackets = Brackets::default();
        for c in name.chars() {
            let outside = brackets.is_closed();
            let still = brackets.step(c) == 0;
            if outside && still {
                // What follows arguments is a member of what has them.
                arguments.clear();
                path.push(c);
            } else {
                arguments.push(c);
            }
        }
        Name { path, arguments: comparable(&arguments) }
    }

    /// The name has template arguments.
    pub(super) fn is_instance(&self) -> bool {
        !self.arguments.is_empty()
    }
}

/// Template arguments without blanks, `const` and the suffixes of numbers, of which spellings differ.
fn comparable(arguments: &str) -> String {
    let mut kept = String::new();
    let mut word = String::new();
    for c in arguments.chars().chain(['\0']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let number = word.starts_with(|c: char| c.is_ascii_digit());
        let plain = if number { word.trim_end_matches(['u', 'U', 'l', 'L']) } else { word.as_str() };
        if plain != "const" {
            kept.push_str(plain);
        }
        word.clear();
        if !c.is_whitespace() && c != '\0' {
            kept.push(c);
        }
    }
    kept
}

/// Two passes that have different things in an artifact see different things in the sources; `None` if the sources were
/// not read for two such passes. The host counts where one group of targets is all that there is.
pub(super) fn separates(source: &Finding, built: &Finding) -> Option<bool> {
    let devices: Vec<PassSet> = built
        .views
        .iter()
        .map(|view| view.passes.and(built.passes.devices()))
        .filter(|set| !set.is_empty())
        .collect();
    let groups: Vec<PassSet> = match devices.as_slice() {
        [one] => vec![*one, PassSet::HOST],
        _ => devices,
    };
    let mut answer = None;
    for (number, group) in groups.iter().enumerate() {
        for other in &groups[number + 1..] {
            for (left, right) in group.iter().flat_map(|left| other.iter().map(move |right| (left, right))) {
                let side = |pass| Some(side(source, pass_of(&source.passes, built.passes.list()[pass])?));
                let (Some(left), Some(right)) = (side(left), side(right)) else { continue };
                if left != right {
                    return Some(true);
                }
                answer = Some(false);
            }
        }
    }
    answer
}

/// Which side of a finding a pass is on; those on none are together.
fn side(finding: &Finding, pass: usize) -> Option<usize> {
    finding.views.iter().position(|view| view.passes.has(pass))
}

/// The number of the pass that an image was made from: that of its architecture, else that of the highest lower one with
/// the same major number, whose PTX can have been compiled for it.
pub(super) fn pass_of(passes: &Passes, of_image: Pass) -> Option<usize> {
    let exact = passes.list().iter().position(|pass| *pass == of_image);
    let Pass::Device(image) = of_image else { return exact };
    let lower = |pass: &Pass| match pass {
        Pass::Device(Arch { number, suffix: Suffix::None }) => {
            Some(*number).filter(|number| number / 10 == image.number / 10 && *number <= image.number)
        }
        _ => None,
    };
    let nearest = || {
        let all = passes.list().iter().enumerate();
        all.filter_map(|(index, pass)| Some((lower(pass)?, index))).max().map(|(_, index)| index)
    };
    exact.or_else(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_what_is_spelled_otherwise() {
        let check = |left: &str, right: &str| assert_eq!(Name::of(left), Name::of(right));
        check("void lib::fill<int const*, 4u>(int const*)", "lib::fill<const int *, 4>");
        check("(anonymous namespace)::square<int>(int*)", "square<int>");
        check("void multiply<(Type)0, 128>(int*)", "multiply<(Type)0, 128>");
        let outer = Name::of("void Outer<int>::fill(int*)");
        assert_eq!((outer.path.as_str(), outer.is_instance()), ("Outer::fill", false));
        assert_ne!(Name::of("fill<int>"), Name::of("fill<float>"));
        assert_ne!(Name::of("fill<constant>"), Name::of("fill<ant>"));
    }

    #[test]
    fn a_class_is_mentioned_by_its_word() {
        assert!(mentions("run(lib::Packet*)", "lib::Packet") && mentions("void run<Packet>(int)", "Packet"));
        assert!(!mentions("run(PacketList*)", "Packet"));
    }

    #[test]
    fn an_image_belongs_to_the_pass_it_can_come_from() {
        let passes = Passes::new(&[Arch::plain(80), Arch::plain(90)]).unwrap();
        let of = |number| pass_of(&passes, Pass::Device(Arch::plain(number)));
        assert_eq!((of(80), of(86), of(90), of(75), of(100)), (Some(1), Some(1), Some(2), None, None));
        assert_eq!(pass_of(&passes, Pass::Host), Some(0));
    }
}
