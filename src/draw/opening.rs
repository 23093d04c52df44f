//! Where a page opens: at the units. A narrow window would show the empty corner of a wide map first.

use super::geometry::Point;
use super::picture::Picture;
use super::svg::{self, Canvas};
use super::table;

/// The unit that is nearest to the middle of all, at the own size of the drawing; none where no
/// unit is drawn.
pub(super) fn at(picture: &Picture) -> Option<Point> {
    let (all, smallest) = match &picture.table {
        Some(table) => (table::middles(picture, table), table::SMALLEST),
        None => {
            let canvas = Canvas::of(picture);
            let here = |at: &Point| canvas.window.is_none_or(|window| window.holds(*at));
            let anchors = picture.units.iter().filter_map(|unit| canvas.anchor(unit.space));
            (anchors.filter(here).collect(), svg::smallest(&canvas))
        }
    };
    let count = i64::try_from(all.len()).ok().filter(|count| *count > 0)?;
    let sum = all.iter().fold(Point::default(), |sum, p| sum.moved(p.x, p.y));
    let middle = Point::at(sum.x / count, sum.y / count);
    let nearest = all.into_iter().min_by_key(|p| (p.distance(middle), *p))?;
    Some(Point::at(svg::own(nearest.x, smallest), svg::own(nearest.y, smallest)))
}
