import type { ScoreComponent } from '../../domain/academics/records.ts';
import { isRecord } from '../../lib/records.ts';
import { readJsonObject } from '../parsing/json.ts';
import { readRows } from '../parsing/list-rows.ts';
import { hasAnyOf, type JsonObject, label, list, num, obj, optStr, str } from '../parsing/scalars.ts';
import { plainMessage } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { tellsError } from './error-marks.ts';

export type ComponentsAnswer =
  | { readonly kind: 'components'; readonly components: readonly ScoreComponent[]; readonly dropped: number }
  /** The segment is no longer good, or the application refused. */
  | { readonly kind: 'stale'; readonly message: string };

/** One of these tells that the answer is one about components at all. */
const answerMembers = ['mx', 'xs', 'rounding'];

const typeOf = (row: JsonObject): string => str(obj(row.id).scoreTypeCode);

const weight = (value: unknown): number | null => {
  const found = num(value, Number.NaN);
  return Number.isNaN(found) ? null : found;
};

/** Weights are those of the same type: the campus has them in an order of their own. */
const toComponent = (row: JsonObject, weights: ReadonlyMap<string, JsonObject>): ScoreComponent => {
  const typeCode = typeOf(row);
  const own = weights.get(typeCode) ?? {};
  return {
    score_type_code: typeCode,
    regular: optStr(row.pscj),
    midterm: optStr(row.qzcj),
    final: optStr(row.qmcj),
    total: optStr(row.zcj),
    remark: label(row.remark),
    regular_weight: weight(own.usualScoreCoefficient),
    midterm_weight: weight(own.midtermScoreCoefficient),
    final_weight: weight(own.endtermScoreCoefficient),
    weight: weight(own.scoreCoefficient),
  };
};

/**
 * `{mx: [{id: {scoreTypeCode}, pscj, qzcj, qmcj, zcj, remark}], xs: [{id: {scoreTypeCode}, …Coefficient}]}`; without `mx`,
 * or with null for it, there are no components. What is no object is dropped.
 * @throws Failure `upstream-unreadable`
 */
export const parseScoreComponents = (text: string): ComponentsAnswer => {
  const body = readJsonObject(text, 'academics');
  if (str(body.result).toLowerCase() === 'error') return { kind: 'stale', message: plainMessage(body.msg) };
  // Of several weights of one type the first counts.
  const weights = new Map(
    list(body.xs)
      .filter(isRecord)
      .toReversed()
      .map((row) => [typeOf(row), row]),
  );
  const { rows, received, dropped } = readRows(body.mx, {
    system: 'academics',
    what: 'score components',
    // A score has a handful of them.
    most: 200,
    isOurs: isRecord,
    read: (row) => (isRecord(row) ? toComponent(row, weights) : null),
  });
  if (received === 0 && (tellsError(body) || !hasAnyOf(body, answerMembers))) {
    throw unreadable('academics', 'an answer without score components');
  }
  return { kind: 'components', components: rows, dropped };
};
