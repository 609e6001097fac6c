import { Kind, KindGuard, type Static, type TObject, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { ValueErrorType } from '@sinclair/typebox/errors';
import { Value } from '@sinclair/typebox/value';
import { type CommentFault, commentFault, isRecord, pointerNames, SHORTEST_COMMENT } from '../lib/text.ts';
import { dayNumber, dayText } from '../lib/time.ts';
import type { ConfigFinding } from './finding.ts';
import { calendarDay, type SettingKind as TextKind } from './kinds.ts';
import type { ConfigFiles } from './secrets.ts';

const LONGEST_FILE = 1_000_000;

/** The value of a file; with problems, it is the value that holds without a file. */
interface FileReading<T> {
  readonly value: T;
  readonly problems: readonly ConfigFinding[];
}

const contentOf = (path: string, files: ConfigFiles): { text: string } | { fault: string } => {
  try {
    const text = files.read(path);
    if (text === null) return { fault: 'does not exist' };
    return text.length > LONGEST_FILE ? { fault: `has more than ${LONGEST_FILE} characters` } : { text };
  } catch {
    return { fault: 'cannot be read' };
  }
};

const objectIn = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

export const quoteValue = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

/** The members of an object, and no others. */
export const closedObject = <P extends TObject['properties']>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** What is wrong with a value, in words; null: nothing. */
type ValueRule = (value: unknown) => string | null;

// The checker knows no other place for kinds of schemas than its registry.
TypeRegistry.Set<{ readonly rule: ValueRule }>('Ruled', ({ rule }, value) => rule(value) === null);

/** A value with a special rule. `otherwise` replaces one that breaks it, so that the rest is checked as well. */
export const rule = <T>(rule: ValueRule, otherwise: T) => Type.Unsafe<T>({ [Kind]: 'Ruled', rule, default: otherwise });

export const kindFault = (kind: TextKind<string>, value: unknown): string | null =>
  typeof value === 'string' && kind.read(value) !== null ? null : `is not ${kind.expects}`;

const namesOf = ({ properties }: TSchema): string[] => Object.keys(properties);

const schemaFaultOf = (schema: TSchema, value: unknown): string => {
  if (schema[Kind] === 'Ruled') return schema.rule(value);
  if (KindGuard.IsNumber(schema)) return `is no number from ${schema.minimum} to ${schema.maximum}`;
  if (KindGuard.IsObject(schema)) return `${quoteValue(value)} is no object with ${namesOf(schema).join(' and ')}`;
  if (!KindGuard.IsArray(schema)) return 'is no text';
  if (!Array.isArray(value)) return 'is no list';
  return value.length === 0 ? 'is empty' : `has more than ${schema.maxItems} entries`;
};

const at = (names: readonly string[], fault: string): string =>
  names.length === 0 ? fault : `${names.join('.').replace(/\.(\d+)/g, '[$1]')}: ${fault}`;

/** The first fault of each place, and none below it. */
const faultsIn = (schema: TObject, object: unknown): string[] => {
  const faults: string[] = [];
  let last: string | null = null;
  for (const { type, schema: wanted, path, value } of Value.Errors(schema, object)) {
    // What is missing is told again as a value that breaks its schema.
    if (type === ValueErrorType.ObjectRequiredProperty) continue;
    if (last !== null && (path === last || path.startsWith(`${last}/`))) continue;
    last = path;
    const names = pointerNames(path);
    const unknown = type === ValueErrorType.ObjectAdditionalProperties ? names.pop() : undefined;
    const fault =
      unknown === undefined
        ? schemaFaultOf(wanted, value)
        : `${quoteValue(unknown)} is not one of ${namesOf(wanted).join(', ')}`;
    faults.push(at(names, fault));
  }
  return faults;
};

/**
 * Makes a reader for a JSON file that the operator wrote, which reports all problems at once.
 * @param defaultValue what holds without a file
 * @param read may add faults; what is wrong already has been replaced by what stands in for it
 */
export const jsonFileReader =
  <S extends TObject, T>(
    key: string,
    schema: S,
    defaultValue: T,
    read: (value: Static<S>, faults: string[]) => T,
    instead = 'give the path of a readable JSON file, or remove the key',
  ) =>
  (path: string | null, files: ConfigFiles): FileReading<T> => {
    if (path === null) return { value: defaultValue, problems: [] };
    const refuseFile = (faults: readonly string[], hint: string): FileReading<T> => ({
      value: defaultValue,
      problems: faults.map((fault) => ({ key, problem: `${path}: ${fault}`, hint })),
    });
    const content = contentOf(path, files);
    if ('fault' in content) return refuseFile([content.fault], instead);
    const object = objectIn(content.text);
    if (object === null) return refuseFile(['is no JSON object'], `write an object with ${namesOf(schema).join(', ')}`);
    const faults = faultsIn(schema, object);
    const value = read(Value.Cast(schema, object), faults);
    return faults.length > 0 ? refuseFile(faults, 'correct it in the file') : { value, problems: [] };
  };

const LONGEST_TEXT = 500;

const commentFaults: Readonly<Record<CommentFault, string>> = {
  'too-short': `has less than ${SHORTEST_COMMENT} characters`,
  repeats: 'has one character three times in a row',
};

const textFault: ValueRule = (text) => {
  if (typeof text !== 'string') return 'is no text';
  if (text.length > LONGEST_TEXT) return `has more than ${LONGEST_TEXT} characters`;
  const fault = commentFault(text);
  return fault && commentFaults[fault];
};

const texts = Type.Optional(Type.Array(rule(textFault, ''), { minItems: 1, maxItems: 100 }));

const AnswersFile = closedObject({
  overall: texts,
  inspiration: texts,
  suggestion: texts,
  full_mark_share: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});

/** Answers of the evaluation as an operator has written them; null: the built-in ones. */
export interface ConfiguredAnswerPools
  extends Readonly<Record<'overall' | 'inspiration' | 'suggestion', readonly string[] | null>> {
  /** Share of ratings with the full mark, 0 to 1. */
  readonly fullMarkShare: number | null;
}

export const readAnswersFile = jsonFileReader<typeof AnswersFile, ConfiguredAnswerPools | null>(
  'EVALUATION_ANSWERS',
  AnswersFile,
  null,
  ({ overall = null, inspiration = null, suggestion = null, full_mark_share: fullMarkShare = null }) => ({
    overall,
    inspiration,
    suggestion,
    fullMarkShare,
  }),
);

const MOST_ENTRIES = 1_000;
/** Limits one range: holidays of a year are a mistyped year. */
const MOST_DAYS = 100;

/** Days are `YYYY-MM-DD`. */
export interface CalendarAdjustments {
  /** Without classes. */
  readonly daysOff: readonly string[];
  /** The classes of `from` are held on `to`. */
  readonly moved: ReadonlyArray<{ readonly from: string; readonly to: string }>;
}

/** The days of `2026-05-01`, or of `2026-05-01/2026-05-05` from one to the other; a text says what is wrong. */
const daysOf = (value: unknown): readonly string[] | string => {
  const [first, last, ...rest] = typeof value === 'string' ? value.split('/') : [];
  const from = dayNumber(first ?? '');
  const to = last === undefined ? from : dayNumber(last);
  if (from === null || to === null || rest.length > 0) return `${quoteValue(value)} is no day and no range of days`;
  if (to < from) return `${quoteValue(value)} ends before it begins`;
  if (to - from >= MOST_DAYS) return `${quoteValue(value)} has more than ${MOST_DAYS} days`;
  return Array.from({ length: to - from + 1 }, (_, index) => dayText(from + index));
};

const range = rule((value) => {
  const days = daysOf(value);
  return typeof days === 'string' ? days : null;
}, '');

const day = rule((value) => kindFault(calendarDay, value), '');

const AdjustmentsFile = closedObject({
  days_off: Type.Optional(Type.Array(range, { maxItems: MOST_ENTRIES })),
  moved: Type.Optional(Type.Array(closedObject({ from: day, to: day }), { maxItems: MOST_ENTRIES })),
});

const contradictions = ({ daysOff, moved }: CalendarAdjustments): string[] => {
  const off = new Set(daysOff);
  const seen = new Set<string>();
  return moved.flatMap(({ from, to }, at) => {
    // It is no day, which has been said.
    if (from === '') return [];
    const again = seen.has(from);
    seen.add(from);
    return [
      ...(from === to ? [`moved[${at}]: ${from} is moved to itself`] : []),
      ...(again ? [`moved[${at}]: ${from} is moved twice`] : []),
      ...(off.has(to) ? [`moved[${at}]: ${to} is among days_off`] : []),
    ];
  });
};

export const readAdjustmentsFile = jsonFileReader<typeof AdjustmentsFile, CalendarAdjustments>(
  'CALENDAR_ADJUSTMENTS',
  AdjustmentsFile,
  { daysOff: [], moved: [] },
  ({ days_off: off = [], moved = [] }, faults) => {
    const days = off.map(daysOf).filter((each) => typeof each !== 'string');
    const value = { daysOff: [...new Set(days.flat())], moved };
    faults.push(...contradictions(value));
    return value;
  },
);
