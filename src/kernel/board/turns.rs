//! The steps of some links on a map with crossings: a space without a junction stands once for all
//! who begin in it, and once more for each line by which it is come to.

use crate::ir::{KindId, Ruleset};
use crate::kernel::id_map::IdMap;
use crate::map::{Links, Map, OnLines, goes_on};

/// What a leg is searched on.
pub(in crate::kernel) trait Nodes {
    /// How many there are; the first are the spaces.
    fn count(&self) -> usize;
    /// The space that one stands for.
    fn space(&self, node: u32) -> u32;
    /// Calls with those from which a step leads to one.
    fn each_back(&self, node: u32, call: impl FnMut(u32));
}

/// Spaces, and behind them further nodes for the spaces come to along one line of a crossing.
#[derive(Debug)]
pub(in crate::kernel) struct Turns {
    spaces: u32,
    /// The spaces of the further nodes.
    further: Vec<u32>,
    next: Links,
    back: Links,
}

/// A step over a link, with the lines on which the link lies at both ends.
struct Step {
    ends: (u32, u32),
    leaves: OnLines,
    enters: OnLines,
}

/// The further nodes of each space while they are made.
#[derive(Default)]
struct Made {
    of: IdMap<u32, Vec<(OnLines, u32)>>,
    further: Vec<u32>,
}

impl Made {
    /// The node of a space come to along some lines.
    fn node(&mut self, spaces: u32, space: u32, lines: &OnLines) -> u32 {
        if lines.iter().all(Option::is_none) {
            return space;
        }
        let known = self.of.entry(space).or_default();
        if let Some((_, node)) = known.iter().find(|(of, _)| of == lines) {
            return *node;
        }
        let node = spaces + u32::try_from(self.further.len()).unwrap_or(0);
        known.push((lines.clone(), node));
        self.further.push(space);
        node
    }
}

impl Turns {
    /// The steps over some links of a map; nothing where none of them lies on a line of a crossing.
    pub(super) fn of(rules: &Ruleset, map: &Map, used: &[bool]) -> Option<Turns> {
        let spaces = u32::try_from(map.spaces.len()).ok()?;
        let mut made = Made::default();
        let mut all: Vec<Step> = Vec::new();
        let mut plain: Vec<(u32, u32)> = Vec::new();
        for (links, _) in map.links.iter().zip(used).filter(|(_, used)| **used) {
            for from in 0..spaces {
                for to in links.of(from) {
                    let crossed = [from, *to].iter().any(|s| !map.crossings_in(*s).is_empty());
                    if !crossed {
                        plain.push((from, *to));
                        continue;
                    }
                    for kind in printed(rules, map, links, (from, *to)) {
                        let (leaves, enters) =
                            (map.on_lines(from, kind, *to), map.on_lines(*to, kind, from));
                        made.node(spaces, *to, &enters);
                        all.push(Step { ends: (from, *to), leaves, enters });
                    }
                }
            }
        }
        if made.further.is_empty() {
            return None;
        }
        for Step { ends: (from, to), leaves, enters } in all {
            let into = made.node(spaces, to, &enters);
            plain.push((from, into));
            let others = made.of.get(&from).into_iter().flatten();
            let open = others.filter(|(came, _)| goes_on(came, &leaves));
            plain.extend(open.map(|(_, node)| (*node, into)));
        }
        let nodes = map.spaces.len() + made.further.len();
        let back = plain.iter().map(|(from, to)| (*to, *from)).collect();
        Some(Turns {
            spaces,
            further: made.further,
            back: Links::from_steps(KindId::LINK, nodes, back),
            next: Links::from_steps(KindId::LINK, nodes, plain),
        })
    }

    /// All nodes, the spaces first.
    pub(in crate::kernel) fn nodes(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.count()).unwrap_or(u32::MAX)
    }

    /// The spaces of the nodes behind the spaces.
    pub(in crate::kernel) fn further(&self) -> &[u32] {
        &self.further
    }

    /// Whether some of the links cross in a space.
    pub(in crate::kernel) fn crosses(&self, space: u32) -> bool {
        self.further.contains(&space)
    }

    /// The nodes to which a step leads from one.
    pub(in crate::kernel) fn next(&self, node: u32) -> &[u32] {
        self.next.of(node)
    }

    /// The nodes from which a step leads to one.
    pub(in crate::kernel) fn back(&self, node: u32) -> &[u32] {
        self.back.of(node)
    }
}

impl Nodes for Turns {
    fn count(&self) -> usize {
        self.spaces as usize + self.further.len()
    }

    fn space(&self, node: u32) -> u32 {
        match node.checked_sub(self.spaces) {
            Some(further) => self.further[further as usize],
            None => node,
        }
    }

    fn each_back(&self, node: u32, call: impl FnMut(u32)) {
        self.back(node).iter().copied().for_each(call);
    }
}

/// The kinds in which a map lists the links of some kinds between two spaces.
pub(in crate::kernel) fn joining(
    rules: &Ruleset,
    map: &Map,
    kinds: &[KindId],
    (a, b): (u32, u32),
) -> Vec<KindId> {
    let used = |l: &&Links| kinds.iter().any(|kind| rules.is_kind(l.kind, *kind));
    let nets = map.links.iter().filter(used).filter(|l| l.of(a).binary_search(&b).is_ok());
    nets.flat_map(|links| printed(rules, map, links, (a, b))).collect()
}

/// The kinds in which a map lists a link; several for a link of a condition, where more than one
/// joins its ends.
fn printed(rules: &Ruleset, map: &Map, links: &Links, (a, b): (u32, u32)) -> Vec<KindId> {
    let Some(base) = rules.kinds.get(links.kind.index()).and_then(|kind| kind.some_of) else {
        return vec![links.kind];
    };
    let of_base = |l: &&Links| rules.is_printed(l.kind) && rules.is_kind(l.kind, base);
    let joining = map.links.iter().filter(of_base).filter(|l| l.of(a).binary_search(&b).is_ok());
    joining.map(|l| l.kind).collect()
}

/// The space of a node of a leg.
#[inline(always)]
pub(in crate::kernel) fn space_of(turns: Option<&Turns>, node: u32) -> u32 {
    turns.map_or(node, |turns| turns.space(node))
}
