import type { Capability } from '../../domain/capabilities.ts';

// What passes between the command that records a campus, the scrubber and the replay. Everything here holds a person's
// data and stays in memory: only `Scrubbed.files` may be written.

/** What asked: a read of the campus, or its sign-in, whose pages keep nothing but the names of their fields. */
export type RecordedPage = Capability | 'sign-in';

/** The fields of a query or a form, in their order. */
export type FieldPairs = readonly (readonly [name: string, value: string])[];

/** One exchange with an upstream as it was. */
export interface Exchange {
  readonly page: RecordedPage;
  /** `portal`, `unified-login`, or the driver's name of the application: the upstream of the manifest. */
  readonly system: string;
  /** The name of its driver. */
  readonly product: string;
  readonly method: 'GET' | 'POST';
  /** Path alone, below the base of the system. */
  readonly path: string;
  readonly query: FieldPairs;
  readonly form: FieldPairs;
  readonly status: number;
  readonly location: string | null;
  /** Names alone, as they were set. */
  readonly cookies: readonly string[];
  /** By which `text` encodes to `body` again, as decoders call it, such as `utf-8` and `gb18030`. */
  readonly charset: string;
  /** Without parameters, such as `text/html`; an image has `image/…` and no text. */
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly text: string;
}

/** A call of a port, and what it gave. */
export interface RecordedReading {
  readonly page: Capability;
  /** Between the student and the context. */
  readonly parameters: readonly unknown[];
  /** Null where it failed. */
  readonly record: unknown;
  /** The kind of the failure; null: it gave a record. */
  readonly failure: string | null;
}

export interface RecordedProduct {
  readonly system: string;
  readonly product: string;
}

/** What the page at which a sign-in ended has told the driver, by system: as the codes of a menu. */
export type Landed = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A campus as it answered one student. */
export interface Recorded {
  readonly origin: 'campus' | 'demo';
  /** Version of the gateway. */
  readonly version: string;
  readonly products: readonly RecordedProduct[];
  /** Epoch ms. */
  readonly now: number;
  readonly timeZone: string;
  /** The id with which the student signed in: pages that name another one are refused. */
  readonly userid: string;
  readonly landed: Landed;
  /** In the order in which they were answered. */
  readonly exchanges: readonly Exchange[];
  readonly readings: readonly RecordedReading[];
  /** Id, passwords and whatever else is known of the person: none may be found again. */
  readonly secrets: readonly string[];
}

/**
 * Makes these calls over these exchanges in place of a network, as the student, who has another id once it is
 * scrubbed.
 * A request takes, of the exchanges of its page not yet used with the same system, method, names of query and form, and
 * path (where segments may differ), one with the same values, else the first one. One that finds none fails. Every call
 * begins with a session that remembers nothing (`memo`), as it did when it was recorded: no reading depends on another one.
 */
export type Replay = (
  exchanges: readonly Exchange[],
  calls: readonly Pick<RecordedReading, 'page' | 'parameters'>[],
  student: Pick<Recorded, 'userid' | 'landed'>,
) => Promise<readonly RecordedReading[]>;

export type Scrubbed =
  | {
      /** By name below the folder; `recording.json` is one of them. */
      readonly files: ReadonlyMap<string, Uint8Array>;
      /** Words that were kept although no list of a product has them; a person looks at them. */
      readonly keptWords: readonly string[];
      /** Every shape of a row in words; each can be left out by its text. */
      readonly shapes: readonly string[];
    }
  /** Nothing may be written; the value is not told. */
  | { readonly refused: { readonly page: RecordedPage; readonly member: string } };
