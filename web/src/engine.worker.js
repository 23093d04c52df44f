// The engine in a worker: takes calls in order, gives answers.
import { Sutler } from "../../wasm/sutler.mjs";

const loaded = fetch(new URL("sutler.wasm", import.meta.url))
  .then((response) => response.arrayBuffer())
  .then((bytes) => Sutler.load(bytes));

let last = loaded.then(() => postMessage({ ready: true }));

addEventListener("message", ({ data: { id, call } }) => {
  last = last.then(async () => {
    const sutler = await loaded;
    postMessage({ id, text: sutler.text(call) });
  });
});
