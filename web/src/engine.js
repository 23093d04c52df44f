// The engine, asked from the page. A call that takes longer than its budget ends the worker; the
// next call begins a new one, and all handles are void then.

/** What a call was refused for. */
export class Refused extends Error {
  constructor(faults) {
    super(faults.map((fault) => fault.message).join("\n"));
    this.faults = faults;
  }
}

/** That the worker was ended. */
export class Ended extends Error {}

export class Engine extends EventTarget {
  #worker = null;
  #waiting = new Map();
  #next = 1;
  #start;
  /** Grows with each worker that is begun: handles of another generation are void. */
  generation = 0;

  constructor(start = () => new Worker(new URL("engine.worker.js", import.meta.url), { type: "module" })) {
    super();
    this.#start = start;
  }

  /** The answer of a call, as data. */
  async ask(call, budget = 20000) {
    const { ok, faults } = JSON.parse(await this.text(call, budget));
    if (faults) throw new Refused(faults);
    return ok;
  }

  /** The answer of a call, as the engine wrote it. */
  text(call, budget = 20000) {
    this.#begin();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, budget, timer: null });
      if (this.#waiting.size === 1) this.#watch(id);
      this.#worker.postMessage({ id, call });
    });
  }

  /** Ends the worker, whatever it does. */
  end(why) {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(new Ended(why));
    }
    this.dispatchEvent(new Event("ended"));
  }

  #begin() {
    if (this.#worker) return;
    this.generation += 1;
    this.#worker = this.#start();
    this.#worker.onmessage = ({ data }) => {
      const call = this.#waiting.get(data.id);
      if (!call) return;
      clearTimeout(call.timer);
      this.#waiting.delete(data.id);
      // The budget of a call begins when the one before it is done.
      const [next] = this.#waiting.keys();
      if (next !== undefined) this.#watch(next);
      call.resolve(data.text);
    };
    this.#worker.onerror = () => this.end("the engine stopped");
  }

  #watch(id) {
    const call = this.#waiting.get(id);
    call.timer = setTimeout(() => this.end("this took too long and was ended; the text is kept"), call.budget);
  }
}
