import { withGood } from '../../../../../src/domain/accounts/guard/breaker.ts';
import type { Caller, SubmittedPair } from '../../../../../src/domain/accounts/guard/callers.ts';
import { draftOf } from '../../../../../src/domain/accounts/guard/guard.ts';
import {
  emptyGateway,
  emptyStudent,
  type GatewayRow,
  gatewayAt,
  type StudentRow,
  studentAt,
} from '../../../../../src/domain/accounts/guard/row.ts';
import type { GuardRule, Verdict } from '../../../../../src/domain/accounts/guard/verdict.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The rules over maps, with a clock in the test's hands. Every good outcome is written at once. */
export class RuleWorld {
  now = Date.UTC(2026, 8, 1);
  readonly students = new Map<string, StudentRow>();
  gateway: GatewayRow = emptyGateway;
  readonly perDay: number;

  constructor(perDay = 4) {
    this.perDay = perDay;
  }

  row(userid: string): StudentRow {
    return studentAt(this.students.get(userid) ?? emptyStudent, this.now);
  }

  tell(userid: string, rule: GuardRule): Verdict {
    const draft = draftOf({ student: this.row(userid), gateway: gatewayAt(this.gateway, this.now) });
    const answer = rule(draft, { now: this.now, perDay: this.perDay });
    const { student, gateway, good } = draft;
    this.students.set(userid, student);
    this.gateway = good === null ? gateway : { ...gateway, [good]: withGood(gateway[good], 1, this.now) };
    return answer;
  }
}

export const stranger = (network = 'net-1', over: Partial<Caller> = {}): Caller => ({
  network,
  trusted: false,
  home: [`home-${network}`],
  token: [],
  ...over,
});
export const holder = (network = 'net-1', token = 'last token'): Caller => stranger(network, { token: [token] });

/** A pair that differs from the stored one. */
export const foreign = (secret = 'x', over: Partial<SubmittedPair> = {}): SubmittedPair => ({
  stored: 'good',
  equalAt: { portal: false, 'unified-login': false },
  fingerprints: { portal: [`portal ${secret}`], 'unified-login': [`login ${secret}`] },
  ...over,
});
export const storedPair = (stored: SubmittedPair['stored'] = 'good'): SubmittedPair => ({
  stored,
  equalAt: { portal: true, 'unified-login': true },
  fingerprints: { portal: ['portal stored'], 'unified-login': ['login stored'] },
});
export const storedPrints = { portal: 'portal stored', 'unified-login': 'login stored' };

/** One word or two for an answer: `go`, `ask-limit 60` for a wait in seconds, `refused-before portal`. */
export const said = (answer: Verdict): string => {
  if (answer.type === 'wait') return `${answer.limit} ${Math.ceil(answer.ms / SECOND)}`;
  if (answer.type !== 'refuse') return answer.type;
  return 'step' in answer && answer.why !== 'person' ? `${answer.limit} ${answer.step}` : answer.limit;
};
