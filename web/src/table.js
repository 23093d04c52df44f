// The tables of a file of rules as rows and cells, each with its place in the text.

/** The places of a separator outside of texts, brackets and parentheses. */
function cuts(text, separator) {
  const found = [];
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') quoted = !quoted;
    if (quoted) continue;
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (depth === 0 && text.startsWith(separator, at)) found.push(at);
  }
  return found;
}

/** A line without its comment, and without the clauses that it cites at its end. Rules of others can have lines of any length, so that
 * no pattern looks for an end from each place. */
function said(line) {
  const [comment] = cuts(line, "#");
  const text = line.slice(0, comment ?? line.length).trimEnd();
  const begins = text.endsWith("]") ? text.lastIndexOf("[") : -1;
  const closed = begins >= 0 && text.indexOf("]", begins) === text.length - 1;
  return closed ? text.slice(0, begins).trimEnd() : text;
}

/** The pieces of a text, each with its place and without blanks around it. */
function pieces(text, from, separator) {
  const ends = cuts(text, separator);
  const starts = [0, ...ends.map((at) => at + separator.length)];
  return [...ends, text.length].map((end, nth) => {
    const raw = text.slice(starts[nth], end);
    const left = raw.length - raw.trimStart().length;
    const trimmed = raw.trim();
    // An empty cell is written behind one blank.
    const begin = from + starts[nth] + (trimmed ? left : Math.min(1, raw.length));
    return { from: begin, to: begin + trimmed.length, room: raw.length - left - trimmed.length, text: trimmed };
  });
}

const ROW = /^(\s*)row\b\s*/;

function gridRow(line, at) {
  const head = ROW.exec(line)[0].length;
  const [keys, ...cells] = pieces(line.slice(head), at + head, "|");
  return [...pieces(line.slice(head, keys.to - at), keys.from, ","), ...cells];
}

/** What a table gives, by name: `gives attack in factors, defence in factors by first match`. */
function results(line) {
  const gives = / gives (.*?) by (?:first|only|all|sum)\b/.exec(line)?.[1] ?? "";
  return gives.split(",").map((one) => one.trim().split(" ")[0]);
}

/** The values that a row of a list gives, each in a cell of its own where there are as many as the table has results. */
function values(text, from, count) {
  const found = count > 1 ? pieces(text, from, ",") : [];
  return found.length === count ? found : [{ from, to: from + text.trimEnd().length, room: 0, text: text.trim() }];
}

/** The row of a list: its name, when it holds, and what it gives. */
function listRow(line, at, count) {
  const found = /^(\s*row\s+)(\S+)\s+((?:when|per)\b.*)$/.exec(line) ?? /^(\s*)()((?:when|per)\b.*)$/.exec(line) ?? /^(\s*)(otherwise)\s+(.*)$/.exec(line);
  if (!found) return null;
  const [, lead, name, rest] = found;
  const begin = at + line.length - rest.length;
  // A row needs no name; what has none is given one in the text.
  const head = { from: at + lead.length, to: at + lead.length + name.length, room: 0, text: name, fixed: name === "" };
  if (name === "otherwise") {
    return [{ ...head, fixed: true }, { from: begin, to: begin, room: 0, text: "", fixed: true }, ...values(rest, begin, count)];
  }
  const then = cuts(rest, " then ").at(-1);
  if (then === undefined) return null;
  // The head of the column says `when`.
  const skip = /^when +/.exec(rest)?.[0].length ?? 0;
  const when = rest.slice(skip, then).trimEnd();
  const gives = rest.slice(then + 6);
  const value = begin + then + 6 + (gives.length - gives.trimStart().length);
  return [head, { from: begin + skip, to: begin + skip + when.length, room: then - skip - when.length, text: when }, ...values(gives.trim(), value, count)];
}

/** The tables of a text and the results of its tests, in its order. */
export function tables(text) {
  const found = [];
  let table = null;
  let at = 0;
  for (const [number, raw] of text.split("\n").entries()) {
    const line = said(raw);
    const begins = /^(table|test)\s+(\w+)(?:\s+of\s+\w+)?(?:\s+"([^"]*)")?/.exec(line);
    if (begins) found.push((table = { noun: begins[1], name: begins[2], title: begins[3] ?? "", line: number + 1, down: null, head: [], results: results(line), rows: [] }));
    else if (table && /^\}/.test(raw)) table = null;
    else if (table) {
      const word = /^\s*(\w+)/.exec(line)?.[1];
      if (word === "down") table.down = line.trim().slice(4).split(",").map((one) => one.trim());
      else if (word === "across" && table.down) table.head = [...table.down, ...pieces(line.replace(/^\s*across/, ""), 0, "|").slice(1).map((one) => one.text)];
      else if (["row", "otherwise"].includes(word) || (!table.down && ["when", "per"].includes(word))) {
        const cells = table.down && word === "row" ? gridRow(line, at) : listRow(line, at, table.results.length);
        if (cells) table.rows.push({ cells, from: at, to: at + raw.length });
      }
    }
    at += raw.length + 1;
  }
  for (const one of found) if (!one.down) one.head = ["row", "when", ...(one.results.length > 1 ? one.results : [one.noun === "test" ? "comes to" : "gives"])];
  return found.filter((one) => one.rows.length > 0);
}

/** The edit that puts another text into a cell; it takes from the blanks after it what it needs, so
 * that the columns stay below each other. */
export function cellEdit(cell, value) {
  const longer = value.length - cell.text.length;
  const taken = Math.max(0, Math.min(longer, cell.room - 1));
  return { from: cell.from, to: cell.to + taken, insert: value + " ".repeat(cell.room > 0 ? Math.max(0, -longer) : 0) };
}
