/** Files of a ruleset by path: `rules.sut`, `map.sut`, `hooks/fort.rhai`. */
export type Texts = Record<string, string>;

/** A place in a text. Offsets are bytes, the end excluded; lines and columns count from 1. */
export interface Place {
  file: string;
  start: number;
  end: number;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  text: string;
  /** Whether this is the place of the fault, not another that explains it. */
  primary: boolean;
}

/** Text to write in place of other text. */
export interface Fix {
  file: string;
  start: number;
  end: number;
  replacement: string;
  /** `always` if it cannot change what was meant, `maybe` for a guess. */
  applies: "always" | "maybe";
}

/** What is wrong, where, and what to write. */
export interface Fault {
  /** None for a call that is wrong in itself. */
  code?: string;
  severity?: "error" | "warning" | "note";
  message: string;
  labels?: Place[];
  help?: string | null;
  notes?: string[];
  suggestion?: Fix | null;
}

/** Part of a condition that decided. */
export interface Because {
  says: string;
  through: string[];
  [more: string]: unknown;
}

/** The answer for one unit or space. */
export interface Row {
  id: string;
  side: string | null;
  space: string | null;
  /** The word of the answer: `supplied`. */
  state: string;
  /** Whether it is the yes of the trace. */
  yes: boolean;
  distance: number | null;
  source: string | null;
  /** The spaces of its line, its own first. */
  route: string[];
  /** The crossings that its line goes straight on over. */
  crossings?: { kind: string; space: string }[];
  clause: string | null;
  /** The gate that stopped it. */
  gate: string | null;
  /** Where. */
  stop: string | null;
  because?: Because[];
}

/** The answers of a trace. */
export interface Report {
  schema: number;
  ruleset: string;
  hash: string;
  trace: string;
  /** Its two answers, yes first. */
  answers: string[];
  units: Row[];
}

/** A clause with its text. */
export interface Clause {
  id: string;
  text: string;
}

/** One space of a line. */
export interface Stage {
  leg: string;
  space: string;
  length: number;
  step: number;
  gate: string;
  clause: string | null;
  relay: boolean;
}

/** All that bears on one answer. */
export interface Explanation {
  schema: number;
  hash: string;
  id: string;
  side: string | null;
  space: string | null;
  trace: string;
  state: string;
  yes: boolean;
  kept: string | null;
  length: number | null;
  route: Stage[];
  source: string | null;
  gate: string;
  stop: string | null;
  leg: string | null;
  because: Because[];
  rule: string;
  clauses: Clause[];
  offers: string[];
  [more: string]: unknown;
}

/** A change that restores a line. */
export interface Remedy {
  change: string;
  words: string;
  cost: number;
  units?: string[];
  space?: string;
  length: number | null;
  source: string | null;
  route: Stage[];
}

/** Why a thing has no line, and the cheapest changes that would give it one. */
export interface WhyNot {
  why: Explanation;
  remedies: Remedy[];
  removal: Remedy | null;
  fewest: boolean;
  whole: boolean;
}

/** Where the lines of one thing can end. */
export interface Reach {
  hash: string;
  id: string;
  side: string | null;
  space: string | null;
  trace: string;
  dimension: string | null;
  never: string | null;
  barred: boolean;
  spaces: { space: string; length: number; left: number | null; stop: "through" | "stopping" | null; clause: string | null; way: string[] }[];
  sources: { source: string; length: number | null; space: string | null }[];
}

/** What would cut which units. */
export interface Threat {
  schema: number;
  ruleset: string;
  hash: string;
  trace: string;
  units: { id: string; side: string | null; space: string | null; line: string[]; cut_spaces: string[]; least: Least | null }[];
  sides: { side: string; least: Least | null }[];
  cuts: { change: "placed" | "moved" | "turned"; what: string; space: string; units: { id: string; gate: string; stop: string | null; clause: string | null }[] }[];
  sorts: string[];
  tried: number;
  searches: number;
  whole: boolean;
}

/** The fewest spaces that cut something. */
export interface Least {
  number: number;
  exact: boolean;
  spaces: string[];
}

/** What a test can come to: for each thing its outcomes with their exact chances. */
export interface Odds {
  schema: number;
  ruleset: string;
  hash: string;
  test: string;
  dice: string;
  odds: { id: string; side: string | null; space: string | null; odds: Chance[]; rolls?: { row: string; test: string; dice: string; odds: Chance[] }[] }[];
  then: { line: string; clause: string | null }[];
}

/** What a question comes to for each thing. */
export interface Values {
  schema: number;
  ruleset: string;
  hash: string;
  question: string;
  of: string | null;
  values: { id: string; side: string | null; space: string | null; value: boolean | number | string | null; words: string }[];
}

/** How likely an outcome is: `3/10`, and `30.00` in percent. */
export interface Chance {
  what: string;
  chance: string;
  percent: string;
  without?: { chance: string; percent: string };
}

/** A case of a suite. */
export interface Case {
  name: string;
  file: string;
  line: number;
}

/** What became of a case. */
export interface CaseRow extends Case {
  status: "passed" | "failed";
  covers: string[];
  failures?: { file: string; line: number; message: string; code?: string; why?: string; sketch?: string }[];
}

/** An order of a player, as `sutler run --orders` reads it. */
export interface Order {
  thing: string;
  turn?: number;
  phase?: string;
  [deed: string]: unknown;
}

/** What a turn is played with. */
export interface Play {
  turn?: number;
  /** The seed of the dice. */
  seed?: number | null;
  /** What the dice show, where there is no seed. */
  dice?: number[];
  orders?: Order[];
  /** Takes the first lawful way where nobody has said which. */
  firstWay?: boolean;
}

/** A turn that was played, to its end or to what somebody must decide. */
export interface Played {
  steps: { moment: string; side: string | null; text: string; log: Record<string, unknown>[]; position: string }[];
  whole: boolean;
  /** The orders that would decide what has to be decided. */
  open: Order[];
  faults: Fault[];
  dice: number[];
  /** The position then, as JSON. */
  position: string;
}

/** What a drawing shows. */
export interface Drawing {
  /** The trace whose lines are drawn; none for null. */
  trace?: string | null;
  /** The side whose lines are shown on the spaces. */
  side?: string | null;
  /** The units whose lines are drawn; all if it is empty. */
  units?: string[];
  /** Lays over the map why this thing has no line. */
  whyNot?: string | null;
  /** Lays over the map what would cut these things; all if it is empty. */
  threat?: string[] | null;
}

/** What a call was refused for. */
export class Refused extends Error {
  faults: Fault[];
}

/** Loads the library; from an address or from bytes where its own module is elsewhere. */
export function load(wasm?: URL | string | BufferSource): Promise<Sutler>;

export class Sutler {
  /** Opens texts. Never fails: see `faults`. */
  open(texts: Texts): Rules;
  /** All that is wrong with texts. */
  check(texts: Texts): Fault[];
  /** What a code such as `E0201` means; null for what is none. Reads `codes.json` of the package once. */
  explainCode(code: string): Promise<string | null>;
}

/** Rulesets that were opened together. */
export class Rules {
  readonly names: string[];
  readonly faults: Fault[];
  /** Whether there is no error; there may be warnings. */
  readonly isSound: boolean;
  /** The ruleset, or a variant by its name; throws `Refused` where there is an error in it. */
  game(name?: string | null): Game;
  close(): void;
}

/** A ruleset without errors. */
export class Game {
  readonly name: string;
  readonly title: string;
  /** A hash of the resolved rules, the same on every machine. */
  readonly hash: string;
  readonly traces: string[];
  /** The traces that are about spaces: a side has to ask. */
  readonly tracesOfSpaces: string[];
  readonly mainTrace: string | null;
  /** The names of its tests, and of its lists of tests. */
  readonly tests: string[];
  readonly sides: string[];
  readonly setups: string[];
  /** Whether turns can be played. */
  readonly hasClock: boolean;
  setup(name?: string | null): Position;
  position(json: string | object): Position;
  /** The JSON Schema of positions. */
  schema(): Record<string, unknown>;
  cases(): Case[];
  /** Runs the cases from one place to before another; all where none are named. */
  runCases(from?: number, to?: number): CaseRow[];
  close(): void;
}

/** A position of a game. Calls that change it return it. */
export class Position {
  readonly game: Game;
  json(): string;
  copy(): Position;
  ask(trace?: string | null): Report;
  answer(of: string, trace?: string | null): Row;
  explain(of: string, trace?: string | null): { explanation: Explanation; text: string };
  whyNot(of: string, trace?: string | null): { why_not: WhyNot; text: string };
  /** Where its lines can end by the legs of a trace, whether or not a source is there. */
  reach(of: string, trace?: string | null): { reach: Reach; text: string };
  /** The same for all in numbers: by id the spaces that it reaches, each with how far that is. */
  reachAll(trace?: string | null): Record<string, Record<string, number>>;
  threat(of?: string | string[], trace?: string | null): { threat: Threat; text: string };
  odds(test: string, of?: string | string[]): { odds: Odds; text: string };
  /** Any condition or amount of each thing of a kind, or of the world where none is named. */
  values(question: string, of?: string | null): { values: Values; text: string };
  move(unit: string, to: string | null): this;
  control(space: string, side: string | null): this;
  remove(unit: string): this;
  viewer(side: string | null): this;
  /** States facts in the words of the rules: `season is winter`. */
  given(...sentences: (string | string[])[]): this;
  play(play?: Play): Played;
  draw(drawing?: Drawing & { form?: "svg" | "text" }): string;
  draw(drawing: Drawing & { form: "json" | "scene" | "frame" }): Record<string, unknown>;
  close(): void;
}
