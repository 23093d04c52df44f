// Elements made in one call; all text goes in as text.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

/** An element of HTML. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element of an id, which the page has. */
export function at(id) {
  return document.getElementById(id);
}

/** A button. */
export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** Fills a list of choices: names, or pairs of a value and what it is called. */
export function options(select, choices, chosen) {
  const rows = choices.map((choice) => (Array.isArray(choice) ? choice : [choice, choice]));
  select.replaceChildren(...rows.map(([value, name]) => el("option", { value, selected: value === chosen }, name)));
  if (chosen !== undefined && rows.some(([value]) => value === chosen)) select.value = chosen;
}

/** Calls a function once it was asked for and then left alone for a while. */
export function later(wait, run) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  };
}
