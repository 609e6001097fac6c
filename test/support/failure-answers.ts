import { type Failure, type FailureKind, failureOf } from '../../src/domain/errors.ts';
import { answerOf as answerOfA, type OperationGroup } from '../../src/surfaces/a/failures.ts';
import { errorTable, type FailureWording } from '../../src/surfaces/b/error-codes.ts';
import { answerOf as answerOfB } from '../../src/surfaces/b/failures.ts';
import { failureKinds } from './failure-kinds.ts';

const groups: readonly OperationGroup[] = ['user', 'academics', 'evaluation', 'activity-score'];
const wordings: readonly FailureWording[] = ['data', 'applications', 'login', 'register'];

/** The failure in every form that changes its answer. */
const forms = (kind: FailureKind): Failure[] => [
  failureOf(kind),
  ...(['portal', 'unified-login'] as const).map((step) => failureOf(kind, { step })),
  failureOf(kind, { upstreamStatus: 500 }),
];

const distinct = (texts: readonly string[]): string => [...new Set(texts)].join('<br>');

/** The answers of the surface with the bearer header, in all its wordings. */
const bearerCell = (kind: FailureKind): string =>
  distinct(
    wordings.flatMap((wording) =>
      forms(kind).map((failure) => {
        const { code } = answerOfB(failure, wording);
        return `${errorTable[code].status} \`${code}\``;
      }),
    ),
  );

/** The answers of the surface below `/api/v1`, in all groups of operations. */
const v1Cell = (kind: FailureKind): string =>
  distinct(
    groups.flatMap((group) =>
      forms(kind).map((failure) => {
        const { code, status } = answerOfA(failure, group);
        return status === 200 ? `code ${code}` : `${status}, code ${code}`;
      }),
    ),
  );

/** Rows of docs/use/errors.md without the column that is written by hand: kind, bearer header, `/api/v1`. */
export const failureRows = (): ReadonlyMap<string, readonly [bearer: string, v1: string]> =>
  new Map(failureKinds.map((kind) => [kind, [bearerCell(kind), v1Cell(kind)] as const]));

/** Code, status and usual message of every error code. */
export const codeRows = (): string[] =>
  Object.entries(errorTable).map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`);
