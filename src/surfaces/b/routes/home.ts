import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { permit } from '../../../domain/accounts/personal-tokens.ts';
import type { Adjustments } from '../../../domain/calendar/types.ts';
import { lackOf } from '../../../domain/capabilities.ts';
import type { ReadNote } from '../../../domain/context.ts';
import { type CallContext, withReads } from '../../../domain/context.ts';
import { asFailure, Failure, isFailure } from '../../../domain/errors.ts';
import { flag, integer, object, orNull, text, textOrNull } from '../../../domain/record.ts';
import { campusDate, createTimestamper } from '../../../lib/time.ts';
import { patterned, RequestInvalid } from '../../../platform/requests/findings.ts';
import { Told } from '../../common/operation.ts';
import { answerOf, errorTable, type FailureFacts, type FailureWording, factsOf } from '../failures.ts';
import { type Operation, operation } from '../operation.ts';
import { notConnected } from './card.ts';
import { type HomeServices, homeParts, homeSchemas, type PartData, type PartName } from './home-parts.ts';

const names = Object.keys(homeSchemas).filter((name): name is PartName => name in homeSchemas);
const usualParts: readonly PartName[] = ['term', 'today', 'exams', 'summary'];

const atOnce = 3;
/** So long before the end of the call what is not there is left out. */
const REST_MS = 1_000;

const PartError = object('HomePartError', 'Why a part has no data: what its own operation would have answered.', {
  code: text('As in failures.'),
  message: text('In words.'),
  retryable: flag('The same call may succeed later.'),
  system: Type.Optional(text('Where it arose, where that is known.')),
  reason: Type.Optional(text('Why, where the code leaves it open.')),
  retry_after: Type.Optional(integer('Seconds to wait, where that is known.')),
});

const sources = ['campus', 'copy', 'stand_in', 'local', 'none'] as const;

const partOf = <T extends TSchema>(data: T) =>
  Type.Object({
    data: orNull(data, 'Null where the part has an error.'),
    read_at: textOrNull('Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`; null without one.'),
    source: Type.Union(
      sources.map((each) => Type.Literal(each)),
      {
        description:
          '`campus`: read now; `copy`; `stand_in`: an older one, because the campus failed; `local`: known here; `none`: an error.',
      },
    ),
    error: orNull(PartError, 'Null where the part has data.'),
  });

const Home = object('Home', 'The start of an app in one call.', {
  date: text('Today at the campus, `YYYY-MM-DD`.'),
  parts: Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(partOf(homeSchemas[name]))])), {
    description: 'The parts that were asked for, and no others.',
  }),
});

interface Part extends Omit<Static<ReturnType<typeof partOf>>, 'data'> {
  readonly data: PartData | null;
}

const anyName = `(?:${names.join('|')})`;
/** Other parts than those offered are understood, and are answered with their error. */
const homeQuery = (offered: readonly PartName[]) => {
  const usual = usualParts.filter((name) => offered.includes(name));
  const unlessNamed = (usual.length > 0 ? usual : usualParts).join(',');
  return Type.Object({
    include: patterned(
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

/** Where the data of a part came from: of several readings the one that says most. */
const sourceOf = (notes: readonly ReadNote[]): Part['source'] => {
  if (notes.length === 0) return 'local';
  if (notes.some(({ source }) => source === 'stale-if-error')) return 'stand_in';
  return notes.some(({ source }) => source !== 'copy') ? 'campus' : 'copy';
};

/** Failures of the whole call: who calls, and whether the stored passwords are any good. */
const isOfWholeCall = (error: unknown): boolean =>
  isFailure(
    error,
    'token-unknown',
    'token-user-gone',
    'client-gone',
    'stored-credentials-refused',
    'stored-credentials-unreadable',
  );

const errorOf = (failure: Failure, wording: FailureWording = 'data'): Part['error'] => {
  const { code, message, retryAfterSeconds } = answerOf(failure, wording);
  const facts: FailureFacts = factsOf(errorTable[code].status, 'read', failure);
  return {
    code,
    message: code === 'NOT_OFFERED' && failure.system === 'card' ? notConnected : message,
    retryable: facts.retryable,
    ...(facts.system === undefined ? {} : { system: facts.system }),
    ...(facts.reason === undefined ? {} : { reason: facts.reason }),
    ...(retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }),
  };
};

const complete = '获取首页信息成功';
const incomplete = '部分信息暂时无法获取';

/** One call for the start of an app, made of the reads that are there. */
export const homeOperations = (services: HomeServices, adjustments: Adjustments, timeZone: string): Operation[] => {
  const { clock, campus } = services;
  const rows = homeParts(services, adjustments);
  const offered = names.filter((name) => lackOf(campus, rows[name].needs) === null);
  const timestamp = createTimestamper(timeZone);
  return [
    operation('GET /home', 'getHome', {
      level: 'TU',
      tag: 'Home screen',
      needs: [],
      scope: 'any',
      summary: { en: 'Start of an app in one call', zh: '首页：一次调用' },
      description:
        'Reads the parts side by side, each as its own operation does, at most three at once. A part that fails has its error and no data, and the call succeeds; only a refused login fails it as a whole. A part asks a personal token for the scope of its own operation.',
      query: homeQuery(offered),
      data: Home,
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
      async run(context) {
        const { student, query } = context;
        const asked = query.include.split(',');
        if (new Set(asked).size < asked.length) throw new RequestInvalid([repeated]);
        const wanted = names.filter((name) => asked.includes(name));
        const date = campusDate(clock.now(), timeZone);
        const over = new AbortController();
        const late = clock
          .wait(Math.max(0, context.deadline.remaining() - REST_MS), over.signal)
          .then(() => 'late' as const)
          .catch(() => 'late' as const);

        const { reads } = context;
        /** The same call, which notes what it reads in a list. */
        const noting = (notes: ReadNote[]): CallContext =>
          reads === undefined
            ? context
            : withReads(context, {
                directives: reads.directives,
                note: (note) => void notes.push(note),
                allowStaleIfError: () => reads.allowStaleIfError(),
                lacksPart: () => reads.lacksPart(),
                afterAnswer: (work) => reads.afterAnswer(work),
              });
        const made = new Map<string, { readonly value: Promise<unknown>; readonly notes: readonly ReadNote[] }>();

        const read = async (name: PartName): Promise<{ readonly part: Part; readonly notes: readonly ReadNote[] }> => {
          const notes: ReadNote[] = [];
          const once = async <V>(of: string, make: (inner: CallContext) => Promise<V>): Promise<V> => {
            const shared = made.get(of);
            const own: ReadNote[] = [];
            const entry = shared ?? { value: make(noting(own)), notes: own };
            made.set(of, entry);
            const value = (await entry.value) as V;
            notes.push(...entry.notes);
            return value;
          };
          const { wording, of, scope, needs, read: readPart } = rows[name];
          try {
            permit(student, scope);
            const lack = lackOf(campus, needs);
            if (lack !== null) throw lack;
            const reading = readPart({ student, context: noting(notes), date, once });
            reading.catch(() => {});
            const data = await Promise.race([reading, late]);
            if (data === 'late') throw context.signal.aborted ? context.signal.reason : new Failure('timed-out', of);
            const readAt = notes.length === 0 ? null : Math.min(...notes.map((note) => note.readAt));
            return {
              part: { data, read_at: readAt === null ? null : timestamp(readAt), source: sourceOf(notes), error: null },
              notes,
            };
          } catch (error) {
            if (isOfWholeCall(error)) throw error;
            const failure = asFailure(error);
            const unknown = failure.kind === 'internal' ? { err: failure.cause } : {};
            context.log.warn({ part: name, failure: failure.kind, reason: failure.reason, ...unknown }, 'part failed');
            return { part: { data: null, read_at: null, source: 'none', error: errorOf(failure, wording) }, notes: [] };
          }
        };

        const found = new Map<PartName, Awaited<ReturnType<typeof read>>>();
        const waiting = [...wanted];
        const work = async (): Promise<void> => {
          for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
            found.set(name, await read(name));
        };
        try {
          await Promise.all(Array.from({ length: atOnce }, work));
        } finally {
          over.abort();
        }
        const all = [...found.values()];
        for (const { notes } of all) for (const note of notes) reads?.note(note);
        const isWhole = all.every(({ part }) => part.error === null);
        // Without a tag: a client would take the gap for the whole.
        if (!isWhole) reads?.lacksPart();
        const parts = Object.fromEntries(
          wanted.flatMap((name) => {
            const part = found.get(name)?.part;
            return part === undefined ? [] : [[name, part]];
          }),
        );
        return new Told({ date, parts }, isWhole ? complete : incomplete);
      },
    }),
  ];
};
