// The language server in the engine, as a transport of the language client. The client takes each message as text; the engine answers in
// the order in which it is asked.
import { Ended } from "../engine.js";

/** A message that takes longer ends the server, and the client begins another. */
const BUDGET = 8000;

export class Transport {
  /** Whether the server is gone, or was closed on purpose. */
  ended = false;
  #closed = false;
  #engine;
  #told;
  #server;
  #handlers = new Set();

  /** `told` hears each answer with the method that it is an answer to, and why the server is gone. */
  constructor(engine, told) {
    this.#engine = engine;
    this.#told = told;
    this.#server = engine.ask({ call: "serve", texts: {} }, BUDGET).then(({ server }) => ({ server, generation: engine.generation }));
  }

  subscribe(handler) {
    this.#handlers.add(handler);
  }

  unsubscribe(handler) {
    this.#handlers.delete(handler);
  }

  send(text) {
    this.#pass(JSON.parse(text)).catch(() => null);
  }

  /** Closes the server, if it is there. */
  async close() {
    this.ended = this.#closed = true;
    const { server, generation } = await this.#server.catch(() => ({}));
    if (generation === this.#engine.generation) await this.#engine.ask({ call: "close", rules: null, game: null, position: null, server }).catch(() => null);
  }

  async #pass(message) {
    let out;
    try {
      const { server, generation } = await this.#server;
      if (this.ended || generation !== this.#engine.generation) throw new Ended("the language server was ended");
      out = await this.#engine.ask({ call: "message", server, message: { jsonrpc: "2.0", ...message } }, BUDGET);
    } catch (error) {
      out = this.#failed(message, error);
    }
    for (const one of out) {
      if (one.id === message.id && one.result !== undefined) this.#told.answered(message.method, one.result);
      for (const handler of this.#handlers) handler(JSON.stringify(one));
    }
  }

  /** What waits for a server that is gone is answered with nothing: not all of the client takes a refusal. */
  #failed(message, error) {
    this.ended = true;
    if (message.id === undefined) return [];
    if (!this.#closed) this.#told.ended(error);
    const result = message.method === "initialize" ? { capabilities: {} } : null;
    return [{ jsonrpc: "2.0", id: message.id, result }];
  }
}
