import type { ScoreComponent } from '../../domain/academics/current-scores.ts';
import { isRecord } from '../../lib/records.ts';
import { readJsonObject } from '../parsing/json.ts';
import { hasAnyOf, type JsonObject, list, num, obj, optStr, payloadList, str } from '../parsing/scalars.ts';
import { plainMessage } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { tellsError } from './error-marks.ts';

export type ComponentsAnswer =
  | { readonly kind: 'components'; readonly components: readonly ScoreComponent[]; readonly dropped: number }
  /** The segment is no longer good, or the application refused. */
  | { readonly kind: 'stale'; readonly message: string };

/** A score has a handful of components. */
const mostComponents = 200;

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
    typeCode,
    regular: optStr(row.pscj),
    midterm: optStr(row.qzcj),
    final: optStr(row.qmcj),
    total: optStr(row.zcj),
    remark: str(row.remark),
    regularWeight: weight(own.usualScoreCoefficient),
    midtermWeight: weight(own.midtermScoreCoefficient),
    finalWeight: weight(own.endtermScoreCoefficient),
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
  const rows = payloadList(body.mx);
  if (str(body.result).toLowerCase() === 'error') return { kind: 'stale', message: plainMessage(body.msg) };
  if (rows === null) throw unreadable('academics', 'score components of the wrong type');
  if (rows.length > mostComponents) throw unreadable('academics', 'too many score components');
  if (rows.length === 0 && (tellsError(body) || !hasAnyOf(body, answerMembers))) {
    throw unreadable('academics', 'an answer without score components');
  }
  // Of several weights of one type the first counts.
  const weights = new Map(
    list(body.xs)
      .filter(isRecord)
      .toReversed()
      .map((row) => [typeOf(row), row]),
  );
  const components = rows.filter(isRecord).map((row) => toComponent(row, weights));
  if (rows.length > 0 && components.length === 0) throw unreadable('academics', 'score components of another shape');
  return { kind: 'components', components, dropped: rows.length - components.length };
};
