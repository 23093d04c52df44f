// A folder as one file, for browsers that cannot write a folder, and telephones that cannot open one. Written without compression,
// read with and without.

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
/** Names are UTF-8. */
const UTF8 = 0x0800;

const SUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

function crc(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = SUMS[(sum ^ byte) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** Numbers of two and four bytes, one after the other, the lowest byte first. */
function record(...fields) {
  const bytes = [];
  for (const [value, size] of fields) for (let at = 0; at < size; at++) bytes.push((value >>> (8 * at)) & 0xff);
  return Uint8Array.from(bytes);
}

/** Texts by path as the bytes of an archive; the same texts give the same bytes. */
export function zipped(texts) {
  const parts = [];
  const entries = [];
  let size = 0;
  const put = (...all) => all.forEach((part) => (parts.push(part), (size += part.length)));
  for (const [path, text] of Object.entries(texts)) {
    const [name, bytes] = [path, text].map((one) => new TextEncoder().encode(one));
    // The first day that the form knows stands for any.
    const common = [[20, 2], [UTF8, 2], [0, 2], [0, 2], [0x21, 2], [crc(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]];
    entries.push([record([ENTRY, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [size, 4]), name]);
    put(record([LOCAL, 4], ...common), name, bytes);
  }
  const begin = size;
  for (const entry of entries) put(...entry);
  put(record([END, 4], [0, 2], [0, 2], [entries.length, 2], [entries.length, 2], [size - begin, 4], [begin, 4], [0, 2]));
  return new Blob(parts, { type: "application/zip" });
}

async function inflated(bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) throw new Error("the archive holds too much");
    parts.push(value);
  }
}

/** The texts of an archive whose paths are wanted; `most` is how much all of them may hold. */
export async function unzipped(buffer, wanted, most) {
  const bytes = new Uint8Array(buffer);
  const view = new DataView(buffer);
  const wrong = new Error("this is no archive that can be read");
  let end = bytes.length - 22;
  while (end >= Math.max(0, bytes.length - 66000) && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0 || view.getUint32(end, true) !== END) throw wrong;
  const texts = {};
  let [at, left] = [view.getUint32(end + 16, true), most];
  try {
    for (let nth = view.getUint16(end + 10, true); nth > 0; nth--) {
      if (view.getUint32(at, true) !== ENTRY) throw wrong;
      const [way, size, name, extra, comment] = [[10, 2], [20, 4], [28, 2], [30, 2], [32, 2]].map(([to, wide]) => (wide === 2 ? view.getUint16(at + to, true) : view.getUint32(at + to, true)));
      const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
      const local = view.getUint32(at + 42, true);
      at += 46 + name + extra + comment;
      if (!wanted(path) || ![0, 8].includes(way)) continue;
      const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const packed = bytes.subarray(from, from + size);
      const plain = way === 8 ? await inflated(packed, left) : packed;
      left -= plain.length;
      if (left < 0) throw new Error("the archive holds too much");
      texts[path] = new TextDecoder().decode(plain);
    }
  } catch (error) {
    throw error instanceof RangeError ? wrong : error;
  }
  return texts;
}
