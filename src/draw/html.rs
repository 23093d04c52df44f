//! A drawing as a page: as wide as it must be to be read, or as wide as the window; light or dark
//! around it, and one sheet when it is printed.

use super::geometry::px;
use super::picture::Picture;
use super::write::escape;

const STYLE: &str = include_str!("page.css");

/// Draws a picture as one file of HTML, without scripts and without anything from elsewhere.
#[must_use]
pub fn html(picture: &Picture) -> String {
    let title = escape(&picture.title);
    let drawn = super::svg(picture);
    // What has the focus is scrolled to, without a script.
    let first = super::opening::at(picture).map_or_else(String::new, |at| {
        format!(
            "<span id=\"first\" tabindex=\"-1\" autofocus style=\"left:{}px;top:{}px\"></span>\n",
            px(at.x),
            px(at.y)
        )
    });
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <input type=\"checkbox\" id=\"whole\">\n<label for=\"whole\">whole map</label>\n\
         <main tabindex=\"0\" aria-label=\"{title}\">\n{drawn}{first}</main>\n</body>\n</html>\n"
    )
}
