import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { permit } from '../../../domain/accounts/tokens/personal-tokens.ts';
import { type CampusFacts, lackOf } from '../../../domain/capabilities.ts';
import { type CallContext, type ReadNote, type Student, withReads } from '../../../domain/context.ts';
import { asFailure, type Failure, failures, toldOfCampus } from '../../../domain/errors.ts';
import { flag, integer, object, oneOf, orNull, text, textOrNull } from '../../../domain/record.ts';
import { RequestInvalid, withPattern } from '../../../http/requests/findings.ts';
import { Semaphore } from '../../../lib/queues.ts';
import { createTimestamper } from '../../../lib/time.ts';
import { Told } from '../../common/operation.ts';
import type { SurfaceBDeps } from '../described.ts';
import { errorTable, type FailureWording } from '../error-codes.ts';
import { answerOf, failureFactsOf } from '../failures.ts';
import { type Operation, operation } from '../operation.ts';
import { notConnected } from './card.ts';
import { homeParts, homeSchemas, isOfWholeCall, type PartData, type PartName } from './home-parts.ts';

const names = Object.keys(homeSchemas).filter((name): name is PartName => name in homeSchemas);
const usualParts: readonly PartName[] = ['term', 'today', 'exams', 'summary'];

const atOnce = 3;
/** Parts that are not read this long before the call ends are answered with an error. */
const REST_MS = 1_000;

const PartError = object('HomePartError', 'Why a part has no data: what its own operation would have answered.', {
  code: text('As in failures.'),
  message: text('In words.'),
  retryable: flag('The same call may succeed later.'),
  system: Type.Optional(text('Where it arose, where that is known.')),
  reason: Type.Optional(text('Why, where the code leaves it open.')),
  retry_after: Type.Optional(integer('Seconds to wait, where that is known.')),
});

const partOf = <T extends TSchema>(data: T) =>
  Type.Object({
    data: orNull(data, 'Null where the part has an error.'),
    read_at: textOrNull('Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one.'),
    source: oneOf(
      ['campus', 'copy', 'stand_in', 'local', 'none'],
      '`campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.',
    ),
    error: orNull(PartError, 'Null where the part has data.'),
  });

interface HomePart extends Omit<Static<ReturnType<typeof partOf>>, 'data'> {
  readonly data: PartData | null;
}

const anyName = `(?:${names.join('|')})`;
/** A part that this campus does not offer may be asked for: it is answered with an error. */
const homeQuery = (offered: readonly PartName[]) => {
  const usual = usualParts.filter((name) => offered.includes(name));
  const unlessNamed = (usual.length > 0 ? usual : usualParts).join(',');
  return Type.Object({
    include: withPattern(
      {
        pattern: `^${anyName}(?:,${anyName})*$`,
        default: unlessNamed,
        maxLength: 100,
        description: `Parts, separated by commas, each at most once: \`${offered.join('`, `')}\`.`,
        examples: [unlessNamed],
      },
      { en: `Input should be a comma list of ${names.join(', ')}`, zh: `应为逗号分隔的列表：${names.join('、')}` },
    ),
  });
};
const repeated = {
  type: 'value_error',
  msg: { en: 'Input should name each part once', zh: '每个部分只能出现一次' },
  loc: ['query', 'include'],
};

/** A part of several readings names the source that says most. */
const sourceOf = (notes: readonly ReadNote[]): HomePart['source'] => {
  if (notes.length === 0) return 'local';
  if (notes.some(({ source }) => source === 'stale-if-error')) return 'stand_in';
  return notes.some(({ source }) => source !== 'copy') ? 'campus' : 'copy';
};

const errorOf = (campus: CampusFacts, failed: Failure, wording?: FailureWording): HomePart['error'] => {
  const failure = toldOfCampus(failed, campus);
  const { code, message, retryAfterSeconds } = answerOf(failure, wording);
  return {
    code,
    message: code === 'NOT_OFFERED' && failure.system === 'card' ? notConnected : message,
    ...failureFactsOf(errorTable[code].status, 'read', failure, campus.ownLogin),
    retry_after: retryAfterSeconds,
  };
};

const complete = '获取首页信息成功';
const incomplete = '部分信息暂时无法获取';
const withheld = '部分信息无法获取：令牌缺少相应权限';

interface ReadPart {
  readonly part: HomePart;
  readonly notes: readonly ReadNote[];
}

interface HomeDeps {
  readonly campus: CampusFacts;
  readonly rows: ReturnType<typeof homeParts>;
  readonly timestamp: (epochMs: number) => string;
  readonly date: string;
  readonly now: string;
  /** Resolves when the time for readings is over. */
  readonly late: Promise<'late'>;
}

interface HomeCall extends CallContext {
  readonly student: Student;
}

class PartReader {
  readonly #deps: HomeDeps;
  readonly #call: HomeCall;
  readonly #shared = new Map<string, { readonly value: Promise<unknown>; readonly notes: readonly ReadNote[] }>();

  constructor(deps: HomeDeps, call: HomeCall) {
    this.#deps = deps;
    this.#call = call;
  }

  async read(name: PartName): Promise<ReadPart> {
    const row = this.#deps.rows[name];
    try {
      permit(this.#call.student, row.scope);
      const lack = lackOf(this.#deps.campus, row.needs);
      if (lack !== null) throw lack;
      return await this.#readRow(row);
    } catch (error) {
      if (isOfWholeCall(error)) throw error;
      const failure = asFailure(error);
      const unknown = failure.kind === 'internal' ? { err: failure.cause } : {};
      const { log } = this.#call;
      log.warn({ part: name, failure: failure.kind, reason: failure.reason, ...unknown }, 'part failed');
      const part = {
        data: null,
        read_at: null,
        source: 'none',
        error: errorOf(this.#deps.campus, failure, row.wording),
      } as const;
      return { part, notes: [] };
    }
  }

  async #readRow({ read, of }: HomeDeps['rows'][PartName]): Promise<ReadPart> {
    const notes: ReadNote[] = [];
    const { student, signal } = this.#call;
    const { date, now, late, timestamp } = this.#deps;
    const reading = read({
      student,
      context: this.#callNoting(notes),
      date,
      now,
      once: (name, make) => this.#readOnce(name, make, notes),
    });
    reading.catch(() => {});
    const data = await Promise.race([reading, late]);
    if (data === 'late') throw signal.aborted ? signal.reason : failures.timedOut(undefined, of);
    const readAt = notes.length === 0 ? null : timestamp(Math.min(...notes.map((note) => note.readAt)));
    return { part: { data, read_at: readAt, source: sourceOf(notes), error: null }, notes };
  }

  /** Reads once what several parts need, and notes it for each of them. */
  async #readOnce<V>(name: string, make: (context: CallContext) => Promise<V>, notes: ReadNote[]): Promise<V> {
    const own: ReadNote[] = [];
    const entry = this.#shared.get(name) ?? { value: make(this.#callNoting(own)), notes: own };
    this.#shared.set(name, entry);
    const value = (await entry.value) as V;
    notes.push(...entry.notes);
    return value;
  }

  /** Makes a call of the same student that notes its readings in a list. */
  #callNoting(notes: ReadNote[]): CallContext {
    const { reads } = this.#call;
    if (reads === undefined) return this.#call;
    return withReads(this.#call, {
      directives: reads.directives,
      note: (note) => void notes.push(note),
      allowStaleIfError: () => reads.allowStaleIfError(),
      lacksPart: () => reads.lacksPart(),
      afterAnswer: (work) => reads.afterAnswer(work),
    });
  }
}

export const homeOperations = ({ services, timeZone }: SurfaceBDeps): Operation[] => {
  const { clock, campus } = services;
  const rows = homeParts(services);
  const offered = names.filter((name) => lackOf(campus, rows[name].needs) === null);
  const timestamp = createTimestamper(timeZone);
  return [
    operation('GET /home', 'getHome', {
      level: 'TU',
      tag: 'Home screen',
      needs: [],
      toldInData: ['PERSON_NEEDED', 'REMOTE_SERVICE_ERROR', 'NULL_RESPONSE', 'TIMEOUT', 'NO_COPY'],
      scope: 'any',
      summary: { en: 'Start of an app in one call', zh: '首页：一次调用' },
      description:
        'Reads the parts side by side, each as its own operation does, at most three at once. A part that fails has its error and no data, and the call succeeds; only a refused login fails it as a whole. A part asks a personal token for the scope of its own operation.',
      query: homeQuery(offered),
      data: object('Home', 'The start of an app in one call.', {
        date: text('Today at the campus, `YYYY-MM-DD`.'),
        parts: Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(partOf(homeSchemas[name]))])), {
          description: 'The parts that were asked for, and no others.',
        }),
      }),
      message: complete,
      example: {
        data: {
          date: '2026-01-05',
          parts: {
            term: {
              data: {
                academic_year: '2025-2026',
                current_term_name: '秋',
                week_number: 18,
                start_at: '2025-09-01',
                is_end: true,
                weekday: 0,
                term_code: '2025-2026-1-1',
              },
              read_at: '2026-01-05 07:58:01',
              source: 'campus',
              error: null,
            },
            card: {
              data: null,
              read_at: null,
              source: 'none',
              error: { code: 'TIMEOUT', message: '请求远程服务超时', retryable: true, system: 'card' },
            },
          },
        },
      },
      async run(call) {
        const asked = call.query.include.split(',');
        if (new Set(asked).size < asked.length) throw new RequestInvalid([repeated]);
        const wanted = names.filter((name) => asked.includes(name));
        const now = timestamp(clock.now());
        const date = now.slice(0, 10);
        const over = new AbortController();
        const late = clock
          .wait(Math.max(0, call.deadline.remaining() - REST_MS), over.signal)
          .catch(() => {})
          .then(() => 'late' as const);
        const reader = new PartReader({ campus, rows, timestamp, date, now, late }, call);
        const turns = new Semaphore(atOnce, wanted.length);
        const reading = wanted.map(async (name) => {
          using _turn = await turns.enter(over.signal);
          return await reader.read(name);
        });
        const found = await Promise.all(reading).finally(() => over.abort());
        for (const note of found.flatMap(({ notes }) => notes)) call.reads?.note(note);
        const isWhole = found.every(({ part }) => part.error === null);
        // No entity tag: a client would keep the gap.
        if (!isWhole) call.reads?.lacksPart();
        const parts = Object.fromEntries(found.map(({ part }, at) => [wanted[at], part]));
        const errors = found.flatMap(({ part }) => part.error ?? []);
        // Another try gives a token no scopes.
        const isWithheld = errors.every(({ code }) => code === 'INSUFFICIENT_SCOPE');
        return new Told({ date, parts }, isWhole ? complete : isWithheld ? withheld : incomplete);
      },
    }),
  ];
};
