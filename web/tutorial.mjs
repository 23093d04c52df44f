// The tutorial as the page reads it: the text of each step as a tree, and the files that it begins and ends with. Made of
// `docs/tutorial`, so that it is said once.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { marked } from "marked";

/** The folder that the reader of the pages has made. */
const GAME = "winter_road/";

/** The steps in order: title, text, what is there before and after. */
export function tutorial(folder, game) {
  const pages = readdirSync(folder).filter((name) => /^\d\d-.*\.md$/.test(name)).sort();
  return pages.map((name, at) => {
    const tokens = marked.lexer(readFileSync(join(folder, name), "utf8"));
    const [{ text: title }, ...rest] = tokens.filter((token) => token.type !== "space");
    const step = (nth) => game(join(folder, `step${String(nth).padStart(2, "0")}`));
    // The first step begins with what `sutler new` makes, which it ends with as well.
    return { title, text: blocks(rest, pages), before: step(at || 1), after: step(at + 1) };
  });
}

/** Blocks as a tree; what stands between `<details>` and `</details>` is inside of one. */
function blocks(tokens, pages) {
  const open = [{ inner: [] }];
  for (const token of tokens) {
    const summary = token.type === "html" && /^<details><summary>(.*?)<\/summary>/.exec(token.raw);
    if (summary) open.push({ tag: "details", summary: summary[1], inner: [] });
    else if (token.type === "html" && /^<\/details>/.test(token.raw)) {
      const done = open.pop();
      open.at(-1).inner.push(done);
    } else if (token.type !== "space") open.at(-1).inner.push(block(token, pages));
  }
  if (open.length !== 1) throw new Error("a <details> has no end");
  return paired(open[0].inner);
}

function block(token, pages) {
  switch (token.type) {
    case "heading": return { tag: `h${token.depth + 1}`, inner: inline(token.tokens, pages) };
    case "paragraph": case "text": return { tag: "p", inner: inline(token.tokens ?? [token], pages) };
    case "list": return { tag: token.ordered ? "ol" : "ul", inner: token.items.map((item) => ({ tag: "li", inner: item.tokens.flatMap((one) => (one.type === "text" ? inline(one.tokens, pages) : [block(one, pages)])) })) };
    case "table": return { tag: "table", inner: [row("th", token.header, pages), ...token.rows.map((one) => row("td", one, pages))] };
    case "code": return code(token);
    default: throw new Error(`the page of a step has a ${token.type}: ${token.raw}`);
  }
}

function row(tag, cells, pages) {
  return { tag: "tr", inner: cells.map((cell) => ({ tag, inner: inline(cell.tokens, pages) })) };
}

/** A block of code; what it is marked with says what the reader does with it. */
function code({ lang, text }) {
  const [what, path = ""] = lang.split(" ");
  return { tag: "pre", what, path: path.replace(GAME, ""), text: `${text}\n` };
}

/** What takes the place of lines knows which: those of the block `find` before it. */
function paired(all) {
  let sought = null;
  const walk = (one) => {
    if (one.what === "find") sought = one.text;
    if (one.what === "now" || one.what === "slip") [one.find, sought] = [sought, null];
    one.inner?.forEach?.((inner) => typeof inner === "object" && walk(inner));
  };
  all.forEach(walk);
  return all;
}

function inline(tokens, pages) {
  return tokens.map((token) => {
    switch (token.type) {
      case "text": case "escape": return token.tokens ? { tag: "span", inner: inline(token.tokens, pages) } : plain(token.text);
      case "strong": case "em": case "del": return { tag: token.type, inner: inline(token.tokens, pages) };
      case "codespan": return { tag: "code", inner: [plain(token.text)] };
      case "br": return " ";
      case "link": {
        const step = pages.indexOf(token.href);
        const to = step >= 0 ? { step: step + 1 } : /^https:/.test(token.href) ? { href: token.href } : {};
        return { tag: "link", ...to, inner: inline(token.tokens, pages) };
      }
      default: throw new Error(`the page of a step has a ${token.type}: ${token.raw}`);
    }
  });
}

/** Text without the references of HTML. */
function plain(text) {
  const known = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => known[name]);
}
