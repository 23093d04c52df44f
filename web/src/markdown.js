// The Markdown that the language server writes, as HTML: paragraphs, code, strong and emphasised words. All else in it is text, so that
// no name and no title of the rules can become an element. The build puts it in place of `marked`, by which the language client shows
// what a server says, and which lets HTML through.

const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*/g;
const FENCE = /^```(\w*)$/;

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);
}

function inline(text) {
  let [out, from] = ["", 0];
  for (const { 0: whole, 1: code, 2: strong, 3: stressed, index } of text.matchAll(INLINE)) {
    out += escaped(text.slice(from, index));
    if (code !== undefined) out += `<code>${escaped(code)}</code>`;
    else out += strong !== undefined ? `<strong>${inline(strong)}</strong>` : `<em>${inline(stressed)}</em>`;
    from = index + whole.length;
  }
  return out + escaped(text.slice(from));
}

function paragraphs(text) {
  const all = text.split(/\n{2,}/).map((one) => one.trim());
  return all.filter(Boolean).map((one) => `<p>${inline(one)}</p>`).join("");
}

/** As much of the class of that name as the language client uses. */
export class Marked {
  #walk;

  constructor({ walkTokens = () => {} } = {}) {
    this.#walk = walkTokens;
  }

  parse(text) {
    let [out, lines, lang] = ["", [], null];
    const take = () => {
      const whole = lines.join("\n");
      out += lang === null ? paragraphs(whole) : this.#code(whole, lang);
      lines = [];
    };
    for (const line of text.split("\n")) {
      const fence = lang === null ? FENCE.exec(line) : line === "```";
      if (fence) {
        take();
        lang = lang === null ? fence[1] : null;
      } else lines.push(line);
    }
    take();
    return out;
  }

  /** The client colours code that is of the language of the editor, and escapes it then. */
  #code(text, lang) {
    const token = { type: "code", lang, text, escaped: false };
    this.#walk(token);
    return `<pre><code>${token.escaped ? token.text : escaped(token.text)}</code></pre>`;
  }
}
