//! `nets`: 281 areas, 456 links of five kinds of which four serve one nation each, ports joined
//! each to each, forts, twelve nets asked of every area, and 190 armies that read them and
//! themselves.

use std::fmt::Write;

use super::super::super::common::Dice;

const AREAS: usize = 281;
const LINKS: usize = 456;
const ARMIES: usize = 190;
/// Ports of each nation, joined each to each by its own lines.
const PORTS: usize = 5;
/// Stretches of railway of each nation.
const RAILS: usize = 26;

pub const NATIONS: [(&str, &str); 4] =
    [("Amber", "a"), ("Blue", "b"), ("Crimson", "c"), ("Dun", "d")];

const KINDS: &str = r#"edition 1
ruleset nets "Nets" prefix NT
sides Amber, Blue, Crimson, Dun
dimension areas (area), points (point)

kind area, areas is space {
  has terrain one of plain, forest, hills, marsh
  has port yes or no
  has fort yes or no
  has depot_of maybe a side
}
kind track, tracks is link
kind line_a, lines_a is link
kind line_b, lines_b is link
kind line_c, lines_c is link
kind line_d, lines_d is link
kind army, armies is unit {
  has strength in points from 1 to 9
  has mounted yes or no
  has train yes or no
}

# An army of strength 1 watches and bars nobody.
define held of area = any enemy army here where strength at least 2
define fort_bars of area = fort and enemy
define barred_way of area = held or fort_bars
define clear_way of area = not barred_way or (any own army here and not fort_bars)
"#;

const NETS: &str = r#"trace land_X of area "supply on land" {
  called fed_X else unfed_X
  source depot where (depot_of is NATION and not enemy)
  leg way
    over    tracks
    from    anywhere
    through clear_way
    into    not held
    within  6
}
trace rail_X of area "supply by rail" {
  called railed_X else unrailed_X
  source depot where (depot_of is NATION and not enemy)
  leg way
    over    lines_X
    from    clear_way
    through clear_way
    into    clear_way
    within  unlimited
}
trace sea_X of area "supply by sea" {
  called shipped_X else unshipped_X
  source harbour where (port and own and not held)
  leg way
    over    lines_X
    from    port and not enemy
    through port and not held
    into    port
    within  2
}
"#;

const ARMY: &str = r#"
table reach of army gives areas by first match {
  when mounted and strength at most 4 then 3
  when strength at least 7            then 1
  otherwise 2
}
trace supply of army "line of supply" {
  called supplied else unsupplied
  always train and by_rail
  source net where served
  leg march
    over    tracks
    from    anywhere
    through not barred_way
    into    not held
    within  reach
}
"#;

/// The text of the game.
pub fn text() -> String {
    let mut dice = Dice::new(281);
    let mut out = String::from(KINDS);
    for (nation, letter) in NATIONS {
        out.push_str(&NETS.replace("NATION", nation).replace("_X", &format!("_{letter}")));
    }
    let each = |text: &dyn Fn(&str, &str) -> String| {
        NATIONS.iter().map(|(n, l)| text(n, l)).collect::<Vec<_>>().join(" or ")
    };
    let served =
        each(&|n, l| format!("(viewer is {n} and (fed_{l} or railed_{l} or shipped_{l}))"));
    let railed = each(&|n, l| format!("(owner is {n} and railed_{l} here)"));
    let _ = writeln!(out, "define served of area = {served}");
    let _ = writeln!(out, "define by_rail of army = terrain here is not marsh and ({railed})");
    out.push_str(ARMY);
    let ports = map(&mut out, &mut dice);
    setup(&mut out, &ports, &mut dice);
    out
}

/// The nation of an area: four quarters of the land.
fn nation_of(area: usize) -> usize {
    (area * 4 / AREAS).min(3)
}

fn map(out: &mut String, dice: &mut Dice) -> Vec<Vec<usize>> {
    let members = |nation: usize| (0..AREAS).filter(move |a| nation_of(*a) == nation);
    let mut pick = |nation: usize, many: usize| {
        let mut left: Vec<usize> = members(nation).collect();
        (0..many).map(|_| left.swap_remove(dice.below(left.len()))).collect::<Vec<_>>()
    };
    let ports: Vec<Vec<usize>> = (0..4).map(|n| pick(n, PORTS)).collect();
    let depots: Vec<Vec<usize>> = (0..4).map(|n| pick(n, 2)).collect();
    out.push_str("map land {\n");
    for area in 0..AREAS {
        let terrain = ["plain", "plain", "forest", "hills", "marsh"][dice.below(5)];
        let port = if ports.iter().flatten().any(|p| *p == area) { ", port" } else { "" };
        let fort = if dice.percent(12) { ", fort" } else { "" };
        let depot = depots.iter().position(|d| d.contains(&area));
        let depot = depot.map_or(String::new(), |n| format!(", depot_of {}", NATIONS[n].0));
        let _ = writeln!(out, "  space area a{area} with terrain {terrain}{port}{fort}{depot}");
    }
    let mut links = 0;
    let mut link = |out: &mut String, kind: &str, a: usize, b: usize| {
        let _ = writeln!(out, "  link {kind} a{a} to a{b}");
        links += 1;
        links
    };
    for (nation, (_, letter)) in NATIONS.iter().enumerate() {
        let kind = format!("line_{letter}");
        for (at, port) in ports[nation].iter().enumerate() {
            for other in &ports[nation][at + 1..] {
                link(out, &kind, *port, *other);
            }
        }
        // A railway from a depot through many areas of the nation.
        let mut stations = vec![depots[nation][0]];
        stations.extend(members(nation).filter(|a| *a != depots[nation][0]).step_by(2));
        for pair in stations.windows(2).take(RAILS) {
            link(out, &kind, pair[0], pair[1]);
        }
    }
    for area in 1..AREAS {
        link(out, "track", area, area - 1 - dice.below(area.min(6)));
    }
    let mut tried = std::collections::BTreeSet::new();
    loop {
        let a = dice.below(AREAS - 20);
        let b = a + 7 + dice.below(12);
        if tried.insert((a, b)) && link(out, "track", a, b) == LINKS {
            break;
        }
    }
    out.push_str("}\n");
    ports
}

fn setup(out: &mut String, ports: &[Vec<usize>], dice: &mut Dice) {
    out.push_str(
        "setup start on land {\n  given Amber is ally_of Blue\n  given Amber is enemy_of Crimson\n  \
         given Amber is enemy_of Dun\n  given Blue is enemy_of Crimson\n  \
         given Crimson is ally_of Dun\n",
    );
    for area in 0..AREAS {
        if ports.iter().flatten().any(|p| *p == area) || dice.percent(85) {
            let (nation, _) = NATIONS[nation_of(area)];
            let _ = writeln!(out, "  given control of a{area} is {nation}");
        }
    }
    for army in 0..ARMIES {
        let nation = army % 4;
        let at = (nation * AREAS / 4 + dice.below(AREAS / 3)) % AREAS;
        let strength = 1 + dice.below(9);
        let mounted = if dice.percent(30) { ", mounted" } else { "" };
        let train = if dice.percent(10) { ", train" } else { "" };
        let (name, _) = NATIONS[nation];
        let _ = writeln!(
            out,
            "  put army {name}_{army} of {name} in a{at} with strength {strength}{mounted}{train}"
        );
    }
    out.push_str("}\n");
}
