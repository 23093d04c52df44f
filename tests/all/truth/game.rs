//! A game as plain data: what the brute force reads and what is written out as text.

/// Two friends against one; the index is the side.
pub const SIDES: [&str; 3] = ["Red", "Pink", "Blue"];
pub const TERRAINS: [&str; 3] = ["plain", "hill", "marsh"];
pub const CAPTAINS: [&str; 2] = ["Hale", "Brandt"];

pub const ROAD: u8 = 1;
pub const PATH: u8 = 2;
/// Between each two depots on the same ground; no map lists them.
pub const LANE: u8 = 4;

/// How a side stands to the one that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    Own,
    Allied,
    Friendly,
    Enemy,
}

impl Stance {
    pub const ALL: [Stance; 4] = [Stance::Own, Stance::Allied, Stance::Friendly, Stance::Enemy];

    pub fn word(self) -> &'static str {
        ["own", "allied", "friendly", "enemy"][self as usize]
    }

    /// Whether `other` stands so to `viewer`.
    pub fn holds(self, viewer: Option<usize>, other: Option<usize>) -> bool {
        let (Some(viewer), Some(other)) = (viewer, other) else { return false };
        let friends = (viewer == 2) == (other == 2);
        match self {
            Stance::Own => viewer == other,
            Stance::Allied => friends && viewer != other,
            Stance::Friendly => friends,
            Stance::Enemy => !friends,
        }
    }
}

/// Where a noun phrase looks, from a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    Here,
    Adjacent,
    OverRoads,
    Within(u8),
}

/// An amount that is worked out of a captain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// What his skill lacks.
    Slack,
    /// The same of all.
    Pay,
    /// A row of a table, or its last.
    Lead,
}

impl Worth {
    pub const ALL: [Worth; 3] = [Worth::Slack, Worth::Pay, Worth::Lead];

    /// The value for a captain of this skill; 0 where there is none.
    pub fn of(self, skill: Option<i64>) -> i64 {
        let Some(skill) = skill else { return 0 };
        match self {
            Worth::Slack => 4 - skill,
            Worth::Pay => 3,
            Worth::Lead => 1 + i64::from(skill >= 3),
        }
    }
}

/// What is worked out of the captain of a host, who need not be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boss {
    Green,
    Sure,
    Idle,
    AtLeast(Worth, i64),
    AtMost(Worth, i64),
}

impl Boss {
    pub fn holds(self, skill: Option<i64>) -> bool {
        match self {
            Boss::Green => skill.is_some_and(|skill| skill <= 1),
            Boss::Sure | Boss::Idle => skill.is_some(),
            Boss::AtLeast(worth, n) => worth.of(skill) >= n,
            Boss::AtMost(worth, n) => worth.of(skill) <= n,
        }
    }

    /// As it is asked of a leader.
    pub fn words(self, leader: &str) -> String {
        let name = |worth| match worth {
            Worth::Slack => "slack",
            Worth::Pay => "pay",
            Worth::Lead => "lead",
        };
        match self {
            Boss::Green => format!("{leader} is green"),
            Boss::Sure => format!("{leader} is sure"),
            Boss::Idle => format!("{leader} is idle"),
            Boss::AtLeast(worth, n) => format!("{} of {leader} at least {n}", name(worth)),
            Boss::AtMost(worth, n) => format!("{} of {leader} at most {n}", name(worth)),
        }
    }
}

/// What a candidate of a noun phrase must be besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    None,
    Wagon,
    Horse,
    Led,
    /// Whether that is so of its captain.
    Boss(bool, Boss),
    /// Its own answer of the trace `line` is yes.
    Linked,
    /// It moves farther than the unit whose line it is.
    FasterThanTracer,
}

/// A condition on a space, asked by a viewer, and in a trace of units by the tracing unit.
#[derive(Clone, Debug)]
pub enum Cond {
    Always,
    Terrain(u8),
    Depot,
    Control(Stance),
    NoControl,
    Winter,
    Flooded,
    Any {
        none: bool,
        stance: Stance,
        near: Near,
        filter: Filter,
    },
    AtLeast {
        count: u32,
        stance: Stance,
        near: Near,
    },
    /// The script's amount for this space is at least this.
    Levy(i64),
    /// Facts of the tracing unit.
    TracerHorse,
    TracerLed,
    TracerMoves(i64),
    TracerBoss(Boss),
    /// What is said of shoals alone: it is not flooded.
    Wet,
    /// The define of this number.
    Define(usize),
    /// The answer of the trace of spaces.
    Joined,
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

/// A condition on a unit.
#[derive(Clone, Debug)]
pub enum UnitCond {
    Wagon,
    Horse,
    Led,
    /// Whether that is so of its captain.
    Boss(bool, Boss),
    Winter,
    /// A define of the space where it stands.
    Here(usize),
    Linked(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    Number(i64),
    Unlimited,
    /// The attribute `move`, in points.
    Move,
    /// The table `reach`, in steps.
    Reach,
    /// The table `lead` of its captain, in steps.
    Lead,
    /// The table `haul` of the space in which the line ends, in steps.
    Haul,
}

/// What is asked of both ends of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steep {
    Any,
    /// Out of a marsh only onto the plain.
    ByTerrain,
    /// From friends, or to where none are.
    ByUnits,
}

#[derive(Clone, Debug)]
pub struct Leg {
    pub name: String,
    /// Legs of one place are alternatives.
    pub place: usize,
    pub optional: bool,
    /// Who may use it, where not all may.
    pub only: Option<UnitCond>,
    pub links: u8,
    /// Links along which no step goes, of those over all other lines of `over`.
    pub but_not: u8,
    /// Links of a line of `over` of its own, for horse alone.
    pub for_horse: u8,
    /// What a step must be by its two ends.
    pub steep: Steep,
    /// Its roads are those that are not worn.
    pub sound: bool,
    /// Its roads are those that are as wide as the unit moves far.
    pub wide: bool,
    pub from: Cond,
    pub through: Cond,
    /// Where the leg goes no farther.
    pub stopping: Option<Cond>,
    pub into: Cond,
    /// Priced by the table `toll`.
    pub cost: bool,
    pub within: Within,
}

#[derive(Clone, Debug)]
pub struct Trace {
    pub name: &'static str,
    pub yes: &'static str,
    pub no: &'static str,
    pub of_units: bool,
    pub judged: bool,
    pub verdicts: Vec<(bool, UnitCond)>,
    pub sources: Vec<(&'static str, Cond)>,
    pub relays: Vec<(&'static str, Cond)>,
    pub legs: Vec<Leg>,
}

impl Trace {
    pub fn places(&self) -> usize {
        self.legs.iter().map(|l| l.place + 1).max().unwrap_or(0)
    }

    /// Whether all legs count alike, so that the sum of their lengths means something.
    pub fn one_measure(&self) -> bool {
        self.legs.iter().all(|l| l.cost == self.legs[0].cost)
    }
}

#[derive(Clone, Debug)]
pub struct Game {
    /// The map is a grid of hexes of this many columns; else areas.
    pub hexes: Option<usize>,
    pub terrain: Vec<u8>,
    pub depot: Vec<bool>,
    /// The areas that are shoals.
    pub shoal: Vec<bool>,
    /// The skill of each captain.
    pub skill: [i64; 2],
    /// Pairs of spaces with their kinds of link.
    pub links: Vec<(usize, usize, u8)>,
    /// Two links of a kind that the map draws as one line, and the space between them.
    pub pairs: Vec<(usize, usize, usize)>,
    /// Spaces in which links of these kinds cross and do not meet.
    pub crossings: Vec<(u8, usize)>,
    /// Whether there are lanes.
    pub lanes: bool,
    /// How far a line may run to a flooded space, to a hill, and to all else.
    pub haul: [i64; 3],
    /// The kinds of link that join two spaces, row by row.
    pub matrix: Vec<u8>,
    /// Whether paths lead one way.
    pub one_way: bool,
    /// The roads that are worn, by their ends.
    pub worn: Vec<(usize, usize)>,
    /// Whether positions say which roads are worn, and the map only how it begins.
    pub fickle: bool,
    /// The roads that are narrow, 3 wide and not 9.
    pub narrow: Vec<(usize, usize)>,
    pub defines: Vec<Cond>,
    /// What the script gives by terrain.
    pub levy: [i64; 3],
    /// The traces: `net` of spaces if there is one, `line`, and `post` if there is one.
    pub net: Option<Trace>,
    pub line: Trace,
    pub post: Option<Trace>,
    pub fate: Fate,
    pub start: Position,
}

/// When the phase that rolls for hosts happens; a turn is the first of nine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Always,
    InWinter,
    First,
    Later,
    Before,
}

impl Fate {
    pub const ALL: [Fate; 5] =
        [Fate::Always, Fate::InWinter, Fate::First, Fate::Later, Fate::Before];

    pub fn words(self) -> &'static str {
        match self {
            Fate::Always => "at end of turn",
            Fate::InWinter => "at end of turn when season is winter",
            Fate::First => "once at end of turn when turn less than 2",
            Fate::Later => "at end of turn when turn at least 2",
            Fate::Before => "once at end of turn",
        }
    }

    pub fn happens(self, at: &Position) -> bool {
        match self {
            Fate::Always | Fate::First => true,
            Fate::InWinter => at.winter,
            Fate::Later | Fate::Before => false,
        }
    }
}

impl Game {
    pub fn spaces(&self) -> usize {
        self.terrain.len()
    }

    pub fn space(&self, at: usize) -> String {
        match self.hexes {
            Some(columns) => format!("{:02}{:02}", at % columns + 1, at / columns + 1),
            None => format!("S{at}"),
        }
    }

    /// How rules and cases name a space.
    pub fn place(&self, at: usize) -> String {
        let hex = if self.hexes.is_some() { "hex " } else { "" };
        format!("{hex}{}", self.space(at))
    }

    pub fn traces(&self) -> impl Iterator<Item = &Trace> {
        self.net.iter().chain(std::iter::once(&self.line)).chain(self.post.iter())
    }

    /// The kinds of link that join two spaces.
    pub fn joined(&self, a: usize, b: usize) -> u8 {
        self.matrix[a * self.terrain.len() + b]
    }

    /// Whether a path leads from one space to the other; some are written both ways.
    pub fn leads(&self, a: usize, b: usize) -> bool {
        !self.one_way || (a + b).is_multiple_of(5) || (a < b) == (a * b).is_multiple_of(2)
    }

    /// The kinds of link along which a step goes.
    pub fn along(&self, a: usize, b: usize) -> u8 {
        if self.leads(a, b) { self.joined(a, b) } else { self.joined(a, b) & !PATH }
    }

    /// The neighbours along the links of a leg, whether or not its unit may go there.
    pub fn around<'g>(&'g self, at: usize, leg: &'g Leg) -> impl Iterator<Item = usize> + 'g {
        (0..self.spaces()).filter(move |b| {
            let joined = self.joined(at, *b);
            *b != at && (self.on(leg, (at, *b), joined) || joined & leg.for_horse != 0)
        })
    }

    /// Whether one of some links between two spaces is of the first line of `over` of a leg.
    pub fn on(&self, leg: &Leg, (a, b): (usize, usize), links: u8) -> bool {
        let joined = links & leg.links;
        let sound = !leg.sound || self.fickle || !self.worn.contains(&(a.min(b), a.max(b)));
        joined & (PATH | LANE) != 0 || joined & ROAD != 0 && sound
    }

    /// Whether a link crosses others in a space and does not meet them.
    pub fn is_crossed(&self, at: usize, link: usize) -> bool {
        self.crossings.iter().any(|(of, space)| *space == at && self.links[link].2 & of != 0)
    }

    /// Whether who came along one link may go on along another; none is a lane, or where a leg begins.
    pub fn turns(&self, came: Option<usize>, at: usize, goes: Option<usize>) -> bool {
        let (Some(came), Some(goes)) = (came, goes) else { return true };
        let one_line = came == goes
            || self.pairs.iter().any(|(a, b, space)| {
                *space == at && [(came, goes), (goes, came)].contains(&(*a, *b))
            });
        let kinds = [came, goes].map(|link| self.links[link].2);
        one_line
            || !self
                .crossings
                .iter()
                .any(|(of, space)| *space == at && kinds.iter().all(|kind| kind & of != 0))
    }

    /// The first of the links that are one line with a link in a space.
    fn line_of(&self, link: usize, at: usize) -> usize {
        let pair = self.pairs.iter().find(|(_, second, space)| (*second, *space) == (link, at));
        pair.map_or(link, |(first, ..)| *first)
    }

    /// Where a leg leads on to from a space come to along a link, and along which link it comes there,
    /// where that makes a difference.
    pub fn onward(
        &self,
        (from, came): (usize, Option<usize>),
        leg: &Leg,
    ) -> Vec<(usize, Option<usize>)> {
        let mut found = Vec::new();
        for into in self.around(from, leg) {
            let ends = (from.min(into), from.max(into));
            let of_leg = |(_, link): &(usize, &(usize, usize, u8))| {
                (link.0.min(link.1), link.0.max(link.1)) == ends
                    && link.2 & (leg.links | leg.for_horse) != 0
            };
            let links = self.links.iter().enumerate().filter(of_leg).map(|(at, _)| Some(at));
            let lane = (self.joined(from, into) & leg.links & LANE != 0).then_some(None);
            for link in links.chain(lane).filter(|link| self.turns(came, from, *link)) {
                let link = link.filter(|link| self.is_crossed(into, *link));
                let step = (into, link.map(|link| self.line_of(link, into)));
                if !found.contains(&step) {
                    found.push(step);
                }
            }
        }
        found
    }

    /// How wide the road between two spaces is.
    pub fn width(&self, a: usize, b: usize) -> i64 {
        if self.narrow.contains(&(a.min(b), a.max(b))) { 3 } else { 9 }
    }

    pub fn neighbours(&self, at: usize, links: u8) -> impl Iterator<Item = usize> + '_ {
        (0..self.spaces()).filter(move |b| *b != at && self.joined(at, *b) & links != 0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub side: usize,
    pub space: Option<usize>,
    pub horse: bool,
    pub moves: i64,
    pub wagon: bool,
    pub leader: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub units: Vec<Unit>,
    pub control: Vec<Option<usize>>,
    pub flooded: Vec<bool>,
    /// The roads that are worn, by their ends.
    pub worn: Vec<(usize, usize)>,
    pub winter: bool,
    /// Who asks a trace of spaces.
    pub viewer: usize,
}
