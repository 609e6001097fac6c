import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { Value } from '@sinclair/typebox/value';
import {
  type Ask,
  AskedMemory,
  AskState,
  type CallerClass,
  CodeMemory,
  ComparingBudget,
  emptyCode,
  emptyGateway,
  emptyStudent,
  GatewayMemory,
  StudentMemory,
} from '../../domain/accounts/records.ts';

// The guard's memory as stored in its rows: JSON, checked when it is read. A member that an earlier version did not
// write has a default.

const moment = Type.Number();
const text = Type.String();
const laterText = Type.String({ default: '' });

/** `by` and `network` are for the version before, which knows three budgets and reads no row without a network. */
const Mismatch = Type.Object({
  at: moment,
  by: ComparingBudget,
  network: text,
  budget: Type.Optional(ComparingBudget),
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

/**
 * What goes with the account. The version before reads no row without its asks and registrations, and left them here;
 * now they are in the row of the id, and so do refused secrets that were never stored.
 */
const Student = Type.Object({
  ...Type.Omit(StudentMemory, ['unheld', 'challenges']).properties,
  mismatches: Type.Array(Mismatch),
  registrations: Type.Array(Type.Object({ id: text, at: moment, network: text, state: AskState, endedAt: moment })),
});

const checkStudent = TypeCompiler.Compile(Student);
const checkAsked = TypeCompiler.Compile(AskedMemory);
const checkGateway = TypeCompiler.Compile(GatewayMemory);
const checkCode = TypeCompiler.Compile(CodeMemory);

/** Null: it cannot be understood. */
const parsed = <S extends TSchema>(check: TypeCheck<S>, memory: string): Static<S> | null => {
  let stored: unknown;
  try {
    stored = JSON.parse(memory);
  } catch {
    return null;
  }
  const value = check.Check(stored) ? stored : Value.Default(check.Schema(), stored);
  return check.Check(value) ? value : null;
};

const isNothing = (memory: string | undefined): memory is undefined | '' => memory === undefined || memory === '';

const byTime = (a: { readonly at: number }, b: { readonly at: number }): number => a.at - b.at;

const nothingAsked: Static<typeof AskedMemory> = { asks: [], refusedSecrets: [], unheld: [], challenges: [] };

/** From the row of the account, and those of the id under its names by every key. Null: one cannot be understood. */
export const studentMemory = (
  own: string | undefined,
  asked: ReadonlyArray<string | undefined>,
): StudentMemory | null => {
  const account = isNothing(own) ? { ...emptyStudent, mismatches: [], registrations: [] } : parsed(checkStudent, own);
  if (account === null) return null;
  const { registrations, ...student } = account;
  const { asks, refusedSecrets } = student;
  const lists: Array<Pick<StudentMemory, keyof typeof nothingAsked>> = [{ ...nothingAsked, asks, refusedSecrets }];
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
  const mismatches = student.mismatches.map(
    ({ by, ...row }): Static<typeof Mismatch> => ({ ...row, by: earlierBudget[by], network: '', budget: by }),
  );
  const own = refusedSecrets.filter(({ replaced }) => replaced);
  const asked = refusedSecrets.filter(({ replaced }) => !replaced);
  return {
    own: JSON.stringify({ ...student, mismatches, asks: [], registrations: [], refusedSecrets: own }),
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
