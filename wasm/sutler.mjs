// Sutler for hosts that speak JavaScript: pages, workers, node. One class, no dependencies.
//
//   const sutler = await Sutler.load(await (await fetch("sutler_wasm.wasm")).arrayBuffer());
//   const { rules } = sutler.ask({ call: "open", texts: { "rules.sut": text } });

/** What a call was refused for: `faults` as data, one or more. */
export class Refused extends Error {
  constructor(faults) {
    super(faults.map((fault) => fault.message).join("\n"));
    this.faults = faults;
  }
}

export class Sutler {
  #wasm;

  constructor(exports) {
    this.#wasm = exports;
  }

  /** Makes a library of the bytes of the module; each has handles of its own. */
  static async load(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Sutler(instance.exports);
  }

  /** The answer of a call as text. */
  text(call) {
    const { memory, room, call: run, answer } = this.#wasm;
    const bytes = new TextEncoder().encode(JSON.stringify(call));
    // Memory that grows has another buffer, so that each view is made after the call that may grow it.
    const place = room(bytes.length);
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    const length = run();
    return new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length));
  }

  /** The answer of a call as data. */
  ask(call) {
    const { ok, faults } = JSON.parse(this.text(call));
    if (faults) throw new Refused(faults);
    return ok;
  }
}
