import { describe, expect, it } from 'vitest';
import type { DemoMessage, DemoPageVariant } from '../../src/demo/types.ts';
import { type Gateway, startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { callRead, type ReadName, readNames, studentReads } from '../support/student-reads.ts';

// The other demo campuses under the ways in which schools and releases of their products differ: the right value or a
// failure. Each campus is started once.

// biome-ignore lint/suspicious/noExplicitAny: answers are compared member by member
type Json = any;

/** What a switch does to the reads: nothing, it takes away members or courses, or those reads fail. */
interface Difference {
  readonly unsaid?: RegExp;
  readonly fails?: readonly ReadName[] | 'all';
}

interface OtherCampus {
  readonly student: { readonly userid: string; readonly password: string };
  readonly switches: ReadonlyArray<readonly [name: string, value: unknown, difference?: Difference]>;
  /** Academic affairs of the first campus, under the ways of its product as well. */
  readonly isUrp?: true;
}

const campuses: Readonly<Record<string, OtherCampus>> = {
  'demo-zhengfang': {
    student: { userid: 'Z2026001', password: 'zhengfang-password' },
    switches: [
      ['scores', 'first'],
      ['scores', 'second-filled'],
      ['scores', 'second'],
      ['timetable', 'second'],
      ['timetable', 'after-its-page'],
      ['sections', 'empty'],
      ['sections', 'absent'],
      ['area', 'absent'],
      ['area', 'other-term'],
      ['most', 2],
      ['alert', '无功能权限', { fails: 'all' }],
    ],
  },
  'demo-shuwei': {
    student: { userid: 'S2026001', password: 'shuwei-password' },
    switches: [
      ['quotedSalt', true],
      // Whose programme is meant, nobody can tell.
      ['twoProgrammes', true, { fails: 'all' }],
      ['vm', 'single'],
      ['layout', 'beside'],
      ['layout', 'absent'],
      ['otherTimetable', true],
      ['pageInsteadOfRedirect', true],
      // Its table of six cells states neither class nor kind of an exam, and a campus for what is not arranged.
      ['exams', 'six', { unsaid: /^(?:course_sequence|course_code|exam_name|exam_location|hint|note)$/ }],
      ['sunday', true, { fails: ['schedule'] }],
    ],
  },
  'demo-jinzhi': {
    student: { userid: 'J2026001', password: 'jinzhi-password' },
    switches: [
      ['table', 'xskcb'],
      ['untimed', 'xswpkc'],
      ['exams', 'cxxsksap'],
      ['changes', 'none', { unsaid: /^(?:time_locations|remark)$/ }],
      ['changes', 'refused', { fails: ['schedule'] }],
      ['notPublished', true, { fails: ['schedule'] }],
      ['rowsOf', 'J2026002', { fails: ['wholeRecord', 'schedule', 'scoreComponents', 'exams'] }],
      ['role', true, { fails: 'all' }],
    ],
  },
  'demo-lakeside': { student: { userid: 'L2026001', password: 'lakeside-password' }, switches: [] },
  'demo-seaside': { student: { userid: 'S2026001', password: 'seaside-password' }, switches: [], isUrp: true },
  'demo-hillside': { student: { userid: 'H2026001', password: 'hillside-password' }, switches: [] },
};

const charsets: readonly DemoPageVariant[] = [
  'GBK named UTF-8',
  'UTF-8 named GBK',
  'UTF-8 named ISO-8859-1',
  'byte order mark',
];
const ofUrp: ReadonlyArray<readonly [DemoPageVariant, RegExp?]> = [
  ['other places'],
  ['hours with seconds'],
  ['plan roots'],
  ['marks inside id'],
  ['score columns', /^(?:sequence|retake_score|makeup_score)$/],
  ['weeks in the mask', /time$|description$/],
  ['exam texts', /time$|description$/],
  [
    'negative marks',
    /score|grade_point$|average|highest|lowest|^regular|^midterm|^final|^total$|^(?:passed|failed|undecided|is_published)|^terms$|mean|credits/,
  ],
];

const without = (data: Json, members: RegExp | undefined): Json =>
  members === undefined
    ? data
    : JSON.parse(JSON.stringify(data), (name, value) => (members.test(name) && !/^\d/.test(name) ? null : value));

/** The value with the texts empty that are empty in the other. */
const emptiedAs = (other: Json, value: Json): Json => {
  if (other === '' && typeof value === 'string') return '';
  if (Array.isArray(value)) return value.map((each, at) => emptiedAs(other?.[at], each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, emptiedAs(other?.[key], each)]));
};

/** A campus with a student who has read everything that it offers. */
class Read {
  readonly known = new Map<ReadName, Json>();
  readonly #gateway: Gateway;
  readonly #clock: ManualClock;
  readonly #token: string;
  #terms: readonly string[] = [];

  private constructor(gateway: Gateway, clock: ManualClock, token: string) {
    this.#gateway = gateway;
    this.#clock = clock;
    this.#token = token;
  }

  static async start(id: string, { student }: OtherCampus): Promise<Read> {
    const clock = new ManualClock(Date.parse('2026-11-18T12:00:00+08:00'));
    const shown: DemoMessage[] = [];
    const env = { CAMPUS: id, STALE_IF_PERSON_SECONDS: '0', LOG_LEVEL: 'silent' };
    const gateway = await startGateway({ clock, env, onMessage: (message) => void shown.push(message) });
    const { switches }: Json = gateway.services.simulated?.model ?? {};
    if (switches && 'datesMove' in switches) switches.datesMove = false;
    const invite = await gateway.b('POST', '/auth/register/invite', { body: { invite_code: 'DEMO-2026' } });
    const body = { ...student, invite_token: invite.body.data.invite_token };
    let entered = await gateway.b('POST', '/auth/register/next', { body });
    if (entered.status === 428)
      entered = await gateway.b('POST', `/auth/challenges/${entered.body.data.challenge.id}/answer`, {
        body: { answer: shown.at(-1)?.text },
      });
    const read = new Read(gateway, clock, entered.body.data.token);
    const terms: Json[] = await read.ask('terms');
    const at = terms.findIndex(({ is_current }) => is_current);
    read.#terms = terms.slice(at, at + 2).map(({ term_code }) => term_code);
    for (const name of readNames) {
      const data = await read.ask(name);
      if (data !== 501) read.known.set(name, data);
    }
    return read;
  }

  /** The data of a read; a number is the status of a failure. The table is that of this term, lists are of the last. */
  async ask(name: ReadName): Promise<Json> {
    const { path, body: bodyOf, ...read } = studentReads[name];
    const [current = '', last = ''] = this.#terms;
    const ofTerm = (text: string): string => text.replaceAll('2025-2026-1-1', name === 'schedule' ? current : last);
    const asked = {
      ...read,
      path: ofTerm(path),
      body: (own: string) => JSON.parse(ofTerm(JSON.stringify(bodyOf?.(own)))),
    };
    const { status, body } = await callRead(this.#gateway.url, asked, this.#token, { 'cache-control': 'max-age=0' });
    if (status !== 200 || (body.code ?? 200) !== 200) return body.code ?? status;
    const { timestamp: _, data = body } = body;
    return data;
  }

  get campus(): { pageVariants: readonly DemoPageVariant[]; model: { switches: Json }; expireSessions(): void } {
    return this.#gateway.services.simulated as Json;
  }

  /** A student has 300 calls a minute. */
  wait(ms = 61_000): void {
    this.#clock.advance(ms);
  }

  close(): Promise<void> {
    return this.#gateway.close();
  }
}

describe.each(Object.entries(campuses))('%s', (id, campus) => {
  it('tells the right value or a failure, however its pages are written', async () => {
    const read = await Read.start(id, campus);
    expect(read.known.size).toBeGreaterThan(6);
    expect([...read.known].filter(([, data]) => typeof data === 'number')).toEqual([]);
    const wrong: unknown[] = [];
    const look = async (variant: string, { unsaid, fails = [] }: Difference = {}): Promise<void> => {
      read.wait();
      for (const [name, data] of read.known) {
        const got = await read.ask(name);
        const isFailure = typeof got === 'number';
        if (fails === 'all' || fails.includes(name)) {
          if (!isFailure) wrong.push([variant, name, 'no failure']);
        } else if (JSON.stringify(without(got, unsaid)) !== JSON.stringify(without(data, unsaid)))
          wrong.push([variant, name, got]);
      }
    };
    for (const variant of charsets) {
      read.campus.pageVariants = [variant];
      await look(variant);
    }
    for (const [variant, unsaid] of campus.isUrp === true ? ofUrp : []) {
      read.campus.pageVariants = [variant];
      await look(variant, unsaid === undefined ? {} : { unsaid });
    }
    // Text of no charset: a cell may be empty, but says nothing else.
    read.campus.pageVariants = ['damaged bytes'];
    read.wait();
    for (const [name, data] of read.known) {
      const got = await read.ask(name);
      if (typeof got !== 'number' && JSON.stringify(got) !== JSON.stringify(emptiedAs(got, data)))
        wrong.push(['damaged bytes', name, got]);
    }
    read.campus.pageVariants = [];
    for (const [name, value, difference] of campus.switches) {
      const { switches } = read.campus.model;
      const usual = switches[name];
      // Under which names a school has its pages is known for a session.
      read.campus.expireSessions();
      read.wait(900_000);
      switches[name] = value;
      await look(`${name}: ${value}`, difference);
      switches[name] = usual;
    }
    await read.close();
    expect(wrong).toEqual([]);
  }, 60_000);
});
