// A drawing of the engine as elements of the page: only shapes and text, no script, no reference
// but to its own patterns.

const SVG = "http://www.w3.org/2000/svg";
const TAGS = new Set(["g", "defs", "pattern", "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "text", "tspan", "title", "clipPath", "marker"]);
const ATTRIBUTES = new Set([
  "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy", "d", "points", "width", "height", "fill", "fill-opacity",
  "fill-rule", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "font-size",
  "font-weight", "font-style", "text-anchor", "transform", "opacity", "clip-path", "patternUnits", "patternTransform", "viewBox",
]);
const CLASSES = new Set(["halo", "name", "b", "m", "w", "i"]);
/** Whose ids are needed, for others refer to them. */
const NAMED = new Set(["pattern", "clipPath", "marker"]);

function copy(from) {
  if (from.nodeType === Node.TEXT_NODE) return document.createTextNode(from.data);
  if (from.nodeType !== Node.ELEMENT_NODE || from.namespaceURI !== SVG || !TAGS.has(from.localName)) return null;
  const to = document.createElementNS(SVG, from.localName);
  for (const { name, value } of from.attributes) {
    const refers = /url\(/i.test(value) && !/^url\(#[\w.-]+\)$/.test(value);
    if (ATTRIBUTES.has(name) && !refers) to.setAttribute(name, value);
    if (name === "class") to.setAttribute("class", value.split(/\s+/).filter((word) => CLASSES.has(word)).join(" "));
    if (name === "style") colours(to, value);
    if (name === "id" && NAMED.has(from.localName)) to.setAttribute("id", value);
  }
  for (const child of from.childNodes) {
    const made = copy(child);
    if (made) to.append(made);
  }
  return to;
}

/** The light around what is written on a base has the colour of the base. */
function colours(to, style) {
  for (const [, name, value] of style.matchAll(/(?:^|;)(fill|stroke):(#[0-9a-f]{3,8})(?=;|$)/gi)) to.style.setProperty(name, value);
}

/** The parts of a drawing by their names, and what stands outside of any. */
export function parts(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const box = (parsed.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const found = { rest: [], box };
  for (const child of parsed.children) {
    const made = copy(child);
    if (!made) continue;
    if (child.localName === "g" && child.id) found[child.id] = made;
    else if (child.localName !== "title") found.rest.push(made);
  }
  return found;
}
