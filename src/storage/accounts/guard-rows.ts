import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { Value } from '@sinclair/typebox/value';
import {
  type Ask,
  type CallerClass,
  type CodeMemory,
  type ComparingBudget,
  emptyCode,
  emptyGateway,
  emptyStudent,
  type GatewayMemory,
  type StudentMemory,
} from '../../domain/accounts/guard/memory.ts';

import { personalSteps } from '../../domain/errors.ts';

// The guard's memory as it lies in its rows: JSON, checked when it is read. A member that an earlier version did not
// write has a default here.

const moment = Type.Number();
const text = Type.String();
const step = Type.Union([Type.Literal('portal'), Type.Literal('unified-login')]);
const laterStep = Type.Union([Type.Literal('portal'), Type.Literal('unified-login')], { default: 'portal' });
const by = Type.Union([Type.Literal('holder'), Type.Literal('known'), Type.Literal('stranger')]);
const asker = Type.Union([by, Type.Literal('unlock')]);
const budget = Type.Union([by, Type.Literal('token'), Type.Literal('home')]);
const group = Type.Union([by, Type.Literal('registration'), Type.Literal('stored')]);
const state = Type.Union([
  Type.Literal('open'),
  Type.Literal('unknown'),
  Type.Literal('refused'),
  Type.Literal('marker'),
]);
const pause = Type.Union([Type.Null(), Type.Object({ until: moment, seconds: Type.Number() })]);

const laterText = Type.String({ default: '' });
const asks = Type.Array(
  Type.Object({
    id: text,
    at: moment,
    by: asker,
    network: laterText,
    state,
    endedAt: moment,
    setAside: Type.Boolean(),
    pair: laterText,
  }),
);
const unheld = Type.Array(
  Type.Object({ at: moment, by: Type.Union([Type.Literal('stored'), Type.Literal('attended')]) }),
  { default: [] },
);
const wanted = Type.Union(personalSteps.map((name) => Type.Literal(name)));
const person = Type.Union(
  [
    Type.Null(),
    Type.Object({
      wanted,
      step: laterStep,
      at: moment,
      liftedUntil: moment,
      passedAt: Type.Number({ default: 0 }),
      firstPassed: laterText,
    }),
  ],
  { default: null },
);
const quiet = Type.Object(
  {
    without: Type.Array(Type.Object({ of: text, ms: Type.Number(), at: moment })),
    again: Type.Union([Type.Null(), Type.Object({ ms: Type.Number(), at: moment })]),
    brokenUntil: moment,
  },
  { default: { without: [], again: null, brokenUntil: 0 } },
);
const booker = Type.Union([
  Type.Literal('home'),
  Type.Literal('token'),
  Type.Literal('known'),
  Type.Literal('stranger'),
]);
const challenges = Type.Array(Type.Object({ id: text, at: moment, by: booker, who: text, sends: Type.Number() }), {
  default: [],
});
const refusedSecrets = Type.Array(Type.Object({ print: text, step, at: moment, replaced: Type.Boolean() }));

/** `by` and `network` are for the version before, which knows three budgets and reads no row without a network. */
const Mismatch = Type.Object({
  at: moment,
  by,
  network: text,
  budget: Type.Optional(budget),
  who: laterText,
  pair: laterText,
});

const earlierBudget: Readonly<Record<ComparingBudget, CallerClass>> = {
  holder: 'holder',
  token: 'holder',
  home: 'known',
  known: 'known',
  stranger: 'stranger',
};

/** What goes with the account. */
const Student = Type.Object({
  mismatches: Type.Array(Mismatch),
  // As the version before left them, which does not read rows without them; now they lie in `Asked`.
  asks,
  registrations: Type.Array(Type.Object({ id: text, at: moment, network: text, state, endedAt: moment })),
  /** Only what was replaced; the others lie in `Asked`. */
  refusedSecrets,
  foreignPause: pause,
  ownPause: pause,
  rest: Type.Union([Type.Null(), pause], { default: null }),
  early: Type.Array(Type.Object({ at: moment, step }), { default: [] }),
  person,
  letUntil: Type.Number({ default: 0 }),
  captchaLookAt: Type.Number({ default: 0 }),
  provenAt: moment,
  setAsideAt: moment,
  rightLogins: Type.Array(moment),
  networks: Type.Array(Type.Object({ network: text, at: moment, login: Type.Boolean({ default: false }) })),
  unlock: Type.Union([Type.Null(), Type.Object({ hash: text, until: moment, tries: Type.Number() })]),
});

/** What was put to the campus for an id within a day, in any spelling of it and with or without an account. */
const Asked = Type.Object({ asks, refusedSecrets, unheld, challenges });

const Gateway = Type.Object({
  refused: Type.Array(
    Type.Object({
      id: text,
      at: moment,
      group: Type.Union([Type.Literal('stranger'), Type.Literal('owner'), Type.Literal('registration')]),
      network: text,
    }),
  ),
  registered: Type.Array(Type.Object({ at: moment, count: Type.Number() })),
  markers: Type.Array(Type.Object({ at: moment, student: text, group, settled: Type.Optional(Type.Boolean()) })),
  answered: Type.Array(Type.Object({ at: moment, group, count: Type.Number() }), { default: [] }),
  pauses: Type.Array(Type.Object({ group, until: moment })),
  storedRefused: Type.Array(Type.Object({ at: moment, student: text })),
  storedAccepted: Type.Array(moment),
  brake: Type.Union([
    Type.Null(),
    Type.Object({
      why: Type.Union([Type.Literal('markers'), Type.Literal('refusals')]),
      nextAt: moment,
      until: moment,
      atOnce: Type.Optional(Type.Boolean()),
      unheldSince: Type.Optional(moment),
      spares: Type.Optional(Type.Boolean()),
    }),
  ]),
  unheld: Type.Array(Type.Object({ at: moment, student: text, settled: Type.Optional(Type.Boolean()) }), {
    default: [],
  }),
  heldAgain: Type.Union([Type.Null(), Type.Object({ from: moment, at: moment })], { default: null }),
  offered: Type.Array(Type.Object({ id: text, at: moment, network: text }), { default: [] }),
  unasked: Type.Array(Type.Object({ student: text, at: moment, met: Type.Union([Type.Null(), wanted]) }), {
    default: [],
  }),
  stop: Type.Union([Type.Null(), Type.Object({ wanted, step: laterStep, students: Type.Array(text) })], {
    default: null,
  }),
  captcha: Type.Union([Type.Null(), Type.Object({ looks: Type.Array(moment) })], { default: null }),
  quiet,
});

const Code = Type.Object({
  refused: Type.Array(Type.Object({ id: text, at: moment, network: text, invite: laterText })),
  accepted: Type.Array(Type.Object({ at: moment, network: text, count: Type.Number() })),
});

const checkStudent = TypeCompiler.Compile(Student);
const checkAsked = TypeCompiler.Compile(Asked);
const checkGateway = TypeCompiler.Compile(Gateway);
const checkCode = TypeCompiler.Compile(Code);

const jsonOf = (memory: string): unknown => {
  try {
    return JSON.parse(memory);
  } catch {
    return undefined;
  }
};

/** Null: it cannot be understood. */
const parsed = <S extends TSchema>(check: TypeCheck<S>, memory: string): Static<S> | null => {
  const stored = jsonOf(memory);
  const value = check.Check(stored) ? stored : Value.Default(check.Schema(), stored);
  return check.Check(value) ? value : null;
};

const isNothing = (memory: string | undefined): memory is undefined | '' => memory === undefined || memory === '';

const byTime = (a: { readonly at: number }, b: { readonly at: number }): number => a.at - b.at;

const nothingAsked: Static<typeof Asked> = { asks: [], refusedSecrets: [], unheld: [], challenges: [] };

/** From the row of the account, and those of the id under its names by every key. Null: one cannot be understood. */
export const studentMemory = (
  own: string | undefined,
  asked: ReadonlyArray<string | undefined>,
): StudentMemory | null => {
  const account = isNothing(own) ? { ...emptyStudent, mismatches: [], registrations: [] } : parsed(checkStudent, own);
  if (account === null) return null;
  const { registrations, ...student } = account;
  const { asks, refusedSecrets } = student;
  const lists = [{ asks, refusedSecrets, unheld: emptyStudent.unheld, challenges: emptyStudent.challenges }];
  for (const memory of asked) {
    const list = isNothing(memory) ? nothingAsked : parsed(checkAsked, memory);
    if (list === null) return null;
    lists.push(list);
  }
  const earlier = registrations.map((ask): Ask => ({ ...ask, by: 'stranger', setAside: false, pair: '' }));
  return {
    ...student,
    mismatches: student.mismatches.map(({ at, by, budget = by, who, pair }) => ({ at, by: budget, who, pair })),
    asks: [...earlier, ...lists.flatMap((list) => list.asks)].sort(byTime),
    refusedSecrets: lists.flatMap((list) => list.refusedSecrets).sort(byTime),
    unheld: lists.flatMap((list) => list.unheld).sort(byTime),
    challenges: lists.flatMap((list) => list.challenges).sort(byTime),
  };
};

export const studentRows = ({
  asks,
  refusedSecrets,
  unheld,
  challenges,
  ...student
}: StudentMemory): { own: string; asked: string } => {
  const compared = student.mismatches.map(
    ({ by, ...row }): Static<typeof Mismatch> => ({ ...row, by: earlierBudget[by], network: '', budget: by }),
  );
  const own = refusedSecrets.filter(({ replaced }) => replaced);
  const asked = refusedSecrets.filter(({ replaced }) => !replaced);
  return {
    own: JSON.stringify({ ...student, mismatches: compared, asks: [], registrations: [], refusedSecrets: own }),
    asked: JSON.stringify({ asks, refusedSecrets: asked, unheld, challenges }),
  };
};

export const gatewayMemory = (memory: string | undefined): GatewayMemory | null =>
  isNothing(memory) ? emptyGateway : parsed(checkGateway, memory);

export const codeMemory = (memory: string | undefined): CodeMemory | null =>
  isNothing(memory) ? emptyCode : parsed(checkCode, memory);

const readers: Readonly<Record<string, (memory: string) => unknown>> = {
  student: (memory) => studentMemory(memory, []),
  asked: (memory) => studentMemory(undefined, [memory]),
  gateway: gatewayMemory,
  code: codeMemory,
};

/** Whether a row of this name can be understood; the others hold nothing. */
export const isReadable = (name: string, memory: string): boolean => {
  const [sort = ''] = name.split(':', 1);
  return readers[sort]?.(memory) !== null;
};
