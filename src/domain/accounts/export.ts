import { type Clock, campusDateTime } from '../../lib/time.ts';
import type { Student } from '../context.ts';
import type { Leases } from '../lease.ts';
import { limits, takeStored } from '../limits.ts';
import { requireRecentLogin } from './tokens/personal-tokens.ts';

/** Characters per piece: sending each row by itself would take longer than reading it. */
const PIECE = 65_536;
/** 1973: smaller numbers are no times. */
const EARLIEST = 1e11;

export interface NotIncluded {
  readonly what: string;
  readonly why: string;
}

/** Reads the rows of a student, table by table. */
export interface ExportStore {
  read(userid: string): AsyncIterable<readonly [table: string, row: Readonly<Record<string, unknown>>]>;
  readonly notIncluded: readonly NotIncluded[];
}

interface ExportDeps {
  readonly store: ExportStore;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly timeZone: string;
}

const notInExport: readonly NotIncluded[] = [
  {
    what: 'guard_rows',
    why: 'what protects the login: keyed hashes of networks and of refused passwords, from which nothing can be read',
  },
  { what: 'leases', why: 'which process works for the student at this moment, or has lately: for minutes' },
  { what: 'backups', why: 'copies of the database, kept by the operator' },
  { what: 'log lines', why: 'kept by the operator, with a keyed hash in place of the student id' },
];

export type AccountExport = ReturnType<typeof createAccountExport>;

export const createAccountExport = (deps: ExportDeps) => {
  const { store, leases, clock, timeZone } = deps;

  /** Writes times as a person reads them. */
  const tell = (name: string, value: unknown): unknown =>
    typeof value === 'number' && value > EARLIEST && /(?:^from|_at|At)$/.test(name)
      ? campusDateTime(value, timeZone)
      : value;

  async function* pieces(userid: string, now: number): AsyncIterable<string> {
    yield `{"userid":${JSON.stringify(userid)},"exported_at":${JSON.stringify(campusDateTime(now, timeZone))}`;
    let open = '';
    let text = '';
    for await (const [table, row] of store.read(userid)) {
      text += table === open ? ',' : `${open === '' ? '' : ']'},\n${JSON.stringify(table)}:[`;
      text += JSON.stringify(row, tell);
      open = table;
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
    yield `${text}${open === '' ? '' : ']'},\n"not_included":${JSON.stringify([...store.notIncluded, ...notInExport])}}\n`;
  }

  return {
    /**
     * Everything that is stored of the student, as pieces of one JSON text.
     * @throws Failure `login-again`; `rate-limited` {retryAfterSeconds} within ten minutes of the last one
     */
    async begin(student: Student): Promise<AsyncIterable<string>> {
      const { userid, personal } = student;
      const now = clock.now();
      if (personal === undefined) requireRecentLogin(student, now);
      await takeStored(leases, limits.exports, userid);
      return pieces(userid, now);
    },
  };
};
