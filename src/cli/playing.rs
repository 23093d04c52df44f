//! The games of a run as they come: summed up, written, printed.

use super::played::Out;
use super::{End, message, print, progress};
use crate::diag::counted;
use crate::play::{Header, Plan, Player, Record, Summary, Summing, game_seed, pump};

/// Games that are played and those that are known, summed up.
pub(super) struct Run<'a> {
    plan: &'a Plan,
    /// The first game, and the one behind the last.
    games: std::ops::Range<u64>,
    header: Header,
    summing: Summing,
    /// Whether games are printed, and whether the line before them has been.
    prints: bool,
    begun: bool,
}

impl<'a> Run<'a> {
    /// No game yet.
    pub(super) fn new(plan: &'a Plan, games: std::ops::Range<u64>, prints: bool) -> Run<'a> {
        let header = plan.header(games.start);
        let summing = Summing::new(header.clone(), &plan.asked);
        Run { plan, games, header, summing, prints, begun: false }
    }

    /// The first line.
    pub(super) fn header(&self) -> Header {
        self.header.clone()
    }

    /// Takes a game that stands in the file of an earlier run.
    pub(super) fn known(&mut self, game: u64, records: &[Record]) -> Result<(), String> {
        if game >= self.games.end {
            return Err(format!("it holds game {game}, and fewer are asked for; raise `--games`"));
        }
        let seed = game_seed(self.plan.seed, game);
        let fits = |(at, record): (usize, &Record)| {
            record.game == game && record.seed == seed && record.against == (at > 0)
        };
        if !records.iter().enumerate().all(fits) {
            return Err(format!("game {game} is expected here, with the seed {seed}"));
        }
        self.give(records).map_err(|_| "standard output cannot be written".to_owned())
    }

    /// Prints the first line, where games are printed.
    fn begin(&mut self) -> Result<(), End> {
        if self.begun || !self.prints {
            return Ok(());
        }
        self.begun = true;
        print(&self.header.line())
    }

    /// Counts a game, and prints it where games are printed.
    fn give(&mut self, records: &[Record]) -> Result<(), End> {
        self.begin()?;
        self.summing.add(records);
        if !self.prints {
            return Ok(());
        }
        print(&records.iter().map(Record::line).collect::<String>())
    }

    /// Plays all games from a number on.
    pub(super) fn rest(
        &mut self,
        next: u64,
        jobs: usize,
        mut out: Option<&mut Out>,
    ) -> Result<(), End> {
        // As many games at once as keep a thread busy for a moment, but no long ones together.
        const TURNS_AT_ONCE: u32 = 64;
        self.begin()?;
        let parcel = u64::from((TURNS_AT_ONCE / self.plan.turns.max(1)).max(1));
        let (plan, games) = (self.plan, next..self.games.end);
        let left = games.end.saturating_sub(games.start);
        progress::count("games", usize::try_from(left).ok());
        let make = || {
            // The questions were asked of the start before.
            let player = Player::new(plan).ok();
            move |games: std::ops::Range<u64>| -> Vec<Vec<Record>> {
                games.filter_map(|game| Some(player.as_ref()?.play(game))).collect()
            }
        };
        let pumped = pump(games, (jobs, parcel), make, |games| {
            for records in games {
                if let Some(out) = &mut out {
                    out.add(&records)?;
                }
                self.give(&records)?;
                progress::more(1);
            }
            Ok(())
        });
        pumped.unwrap_or_else(|error| {
            message(&format!("error: no thread can be begun: {error}\n"));
            Err(End::Trouble)
        })
    }

    /// What all games come to.
    pub(super) fn summary(&self) -> Summary {
        self.summing.summary()
    }

    /// Tells of games that a fault ended.
    pub(super) fn end(&self) -> End {
        let Some((count, first)) = self.summing.faults() else { return End::Clean };
        let why = first.fault.as_ref().map_or(("", ""), |w| (w.code.as_str(), w.message.as_str()));
        let games = counted(*count, "game");
        message(&format!(
            "{games} ended by a fault; the first is game {}: error[{}]: {}\n  help: `--orders {}` prints its orders, with the call of `sutler run` that plays it\n",
            first.game, why.0, why.1, first.game
        ));
        End::Findings
    }
}
