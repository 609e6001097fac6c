import type {
  Caller,
  GuardAnswer,
  GuardEvent,
  GuardMemory,
  SubmittedPair,
} from '../../../../../src/domain/accounts/guard/events.ts';
import {
  type CodeMemory,
  codeAt,
  emptyCode,
  emptyGateway,
  emptyStudent,
  type GatewayMemory,
  gatewayAt,
  type StudentMemory,
  studentAt,
} from '../../../../../src/domain/accounts/guard/memory.ts';
import { guard } from '../../../../../src/domain/accounts/guard/table.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The table over maps, with a clock in the test's hands: one student id after the other, as the storage does it. */
export class TableWorld {
  now = Date.UTC(2026, 8, 1);
  readonly students = new Map<string, StudentMemory>();
  readonly codes = new Map<string, CodeMemory>();
  gateway: GatewayMemory = emptyGateway;
  readonly perDay: number;

  constructor(perDay = 4) {
    this.perDay = perDay;
  }

  memory(userid: string, code = ''): GuardMemory {
    return {
      student: studentAt(this.students.get(userid) ?? emptyStudent, this.now),
      gateway: gatewayAt(this.gateway, this.now),
      code: codeAt(this.codes.get(code) ?? emptyCode, this.now),
    };
  }

  tell(userid: string, event: GuardEvent, code = ''): GuardAnswer {
    const { now, perDay } = this;
    const { answer, next } = guard(this.memory(userid, code), { now, perDay }, event);
    this.students.set(userid, next.student);
    this.gateway = next.gateway;
    if (code !== '') this.codes.set(code, next.code);
    return answer;
  }
}

export const stranger = (network = 'net-1', over: Partial<Caller> = {}): Caller => ({
  network,
  trusted: false,
  home: [`home-${network}`],
  holder: false,
  proof: null,
  ...over,
});
export const holder = (network = 'net-1'): Caller => stranger(network, { holder: true });

/** A pair that differs from the stored one. */
export const foreign = (secret = 'x', over: Partial<SubmittedPair> = {}): SubmittedPair => ({
  stored: 'good',
  equalAt: { portal: false, 'unified-login': false },
  prints: { portal: [`portal ${secret}`], 'unified-login': [`login ${secret}`] },
  ...over,
});
export const storedPair = (stored: SubmittedPair['stored'] = 'good'): SubmittedPair => ({
  stored,
  equalAt: { portal: true, 'unified-login': true },
  prints: { portal: ['portal stored'], 'unified-login': ['login stored'] },
});
export const storedPrints = { portal: 'portal stored', 'unified-login': 'login stored' };

/** One word or two for an answer: `ask`, `G3 60` for a wait in seconds, `G3b portal` for a refused secret. */
export const said = (answer: GuardAnswer): string => {
  if (answer.type !== 'refuse') return answer.type;
  if ('retryAfterSeconds' in answer) return `${answer.rule} ${answer.retryAfterSeconds}`;
  return 'step' in answer ? `${answer.rule} ${answer.step}` : answer.rule;
};
