// What the position says: who controls what, facts of the game, of the chosen thing and of sides,
// and the readings of rulings. Each is changed where it stands.
import { button, el } from "../dom.js";

/** The values that a fact may have, as pairs of a value and its name; none for what is written. */
function choices(schema, defs) {
  const type = schema.$ref ? defs[schema.$ref.split("/").at(-1)] : schema;
  if (!type) return null;
  if (type.anyOf) return type.anyOf.flatMap((one) => choices(one, defs) ?? []);
  if (type.enum) return type.enum.map((value) => [value, String(value)]);
  if (type.const !== undefined) return [[type.const, String(type.const)]];
  const types = [type.type].flat();
  if (types.includes("boolean")) return [[true, "yes"], [false, "no"]];
  if (types.length === 1 && types[0] === "null") return [[null, "none"]];
  return null;
}

export class State {
  name = "State";
  #page;
  #node = el("div");

  constructor(page) {
    this.#page = page;
  }

  get node() {
    return this.#node;
  }

  refresh() {
    const { game, positions, asked } = this.#page;
    const opened = game.opened;
    if (!opened) return;
    const data = positions.data;
    const { properties, $defs: defs } = opened.schema;
    const parts = [];
    const chosen = asked.chosen;
    const unit = data.units?.find((one) => one.id === chosen);
    if (unit) parts.push(...this.#unit(unit, properties, defs));
    else if (chosen && properties.spaces?.properties?.[chosen]) parts.push(...this.#space(chosen, data, properties.spaces.properties[chosen].properties, defs));
    else parts.push(el("p", {}, "Choose a unit or a space on the map to change what is said of it."));
    parts.push(...this.#facts("The game", properties.world?.properties, data.world, defs, (data, name, value) => set(data, ["world", name], value)));
    for (const [name, side] of Object.entries(properties.sides?.properties ?? {})) {
      const facts = side.properties?.facts?.properties;
      parts.push(...this.#facts(name, facts, data.sides?.[name]?.facts, defs, (data, fact, value) => set(data, ["sides", name, "facts", fact], value)));
    }
    parts.push(...this.#facts("Rulings", properties.rulings?.properties, data.rulings, defs, (data, name, value) => set(data, ["rulings", name], value)));
    parts.push(el("div", { class: "row" }, button("Save this position", () => this.#page.disk.savePosition("json")), button("Save the drawing", () => this.#page.doing(() => this.#page.disk.savePosition("svg")))));
    const open = document.activeElement?.id;
    this.#node.replaceChildren(...parts);
    if (open && this.#node.querySelector(`#${CSS.escape(open)}`)) document.getElementById(open).focus();
  }

  #unit(unit, properties, defs) {
    const kinds = properties.units?.items?.allOf ?? [];
    const kind = kinds.find((one) => one.if.properties.kind.const === unit.kind);
    const at = (data) => data.units.find((one) => one.id === unit.id);
    const rows = [];
    if ("space" in unit || !unit.at) rows.push(this.#field("space", { $ref: "#/$defs/maybe_space" }, unit.space ?? null, defs, (data, _, value) => (at(data).space = value), unit.id));
    const facts = this.#facts("", kind?.then.properties.facts.properties, unit.facts, defs, (data, name, value) => set(at(data), ["facts", name], value), unit.id);
    return [el("h2", {}, `${unit.kind} ${unit.id}`), ...rows, ...facts];
  }

  #space(id, data, schema, defs) {
    const here = data.spaces?.[id];
    const control = this.#field("control", { $ref: "#/$defs/maybe_side" }, here?.control ?? null, defs, (data, _, value) => set(data, ["spaces", id, "control"], value), id);
    const facts = this.#facts("", schema.facts?.properties, here?.facts, defs, (data, name, value) => set(data, ["spaces", id, "facts", name], value), id);
    return [el("h2", {}, id), control, ...facts];
  }

  #facts(title, schema = {}, values = {}, defs, write, of = title) {
    const rows = Object.entries(schema).map(([name, one]) => this.#field(name, one, values?.[name], defs, write, of));
    if (rows.length === 0) return [];
    return [...(title ? [el("h3", {}, title)] : []), ...rows];
  }

  /** One fact: a choice, or a number or a name to write. */
  #field(name, schema, value, defs, write, of) {
    const page = this.#page;
    const id = `fact-${of}-${name}`.replaceAll(/[^\w-]/g, "_");
    const change = (next) => {
      const data = page.positions.data;
      write(data, name, next);
      page.shown.propose(JSON.stringify(data), `${name} of ${of}`);
    };
    const known = choices(schema, defs);
    const usual = ["", "as usual"];
    let input;
    if (known) {
      const rows = [...(known.some(([one]) => one === null) ? [] : [usual]), ...known.map(([one, words]) => [JSON.stringify(one), words])];
      const now = value === undefined ? "" : JSON.stringify(value);
      input = el("select", { id, onchange: ({ target }) => change(target.value === "" ? undefined : JSON.parse(target.value)) }, ...rows.map(([one, words]) => el("option", { value: one, selected: one === now }, words)));
    } else {
      const whole = [schema.type].flat().includes("integer");
      const read = (text) => (text === "" ? undefined : whole ? Number(text) : text);
      input = el("input", { id, type: whole ? "number" : "text", min: schema.minimum, max: schema.maximum, value: value ?? "", placeholder: "as usual", onchange: ({ target }) => change(read(target.value)) });
    }
    return el("div", { class: "row" }, el("label", { for: id, title: schema.description }, name.replaceAll("_", " ")), input);
  }
}

/** Puts a value into an object, or takes it out. */
function set(data, path, value) {
  const last = path.at(-1);
  let at = data;
  for (const part of path.slice(0, -1)) at = at[part] ??= {};
  if (value === undefined) delete at[last];
  else at[last] = value;
}
