import type {
  Caller,
  GuardAnswer,
  GuardEvent,
  GuardMemory,
  SubmittedPair,
} from '../../../../../src/domain/accounts/guard/events.ts';
import { codeAt, gatewayAt, networkAt, studentAt } from '../../../../../src/domain/accounts/guard/memory-at.ts';
import { guard } from '../../../../../src/domain/accounts/guard/table.ts';
import {
  type CodeMemory,
  emptyCode,
  emptyGateway,
  emptyNetwork,
  emptyStudent,
  type GatewayMemory,
  type NetworkMemory,
  type StudentMemory,
} from '../../../../../src/domain/accounts/records.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The table over maps, with a clock in the test's hands: one student id after the other, as the storage does it. */
export class TableWorld {
  now = Date.UTC(2026, 8, 1);
  readonly students = new Map<string, StudentMemory>();
  readonly codes = new Map<string, CodeMemory>();
  readonly networks = new Map<string, NetworkMemory>();
  gateway: GatewayMemory = emptyGateway;
  readonly perDay: number;
  /** As the keeper does it: accepted stored pairs that are not written down come with the next one. */
  #unwritten = 0;

  constructor(perDay = 4) {
    this.perDay = perDay;
  }

  memory(userid: string, code = '', network = ''): GuardMemory {
    return {
      student: studentAt(
        this.students.get(userid) ?? emptyStudent,
        this.now,
        gatewayAt(this.gateway, this.now).heldAgain,
      ),
      network: networkAt(this.networks.get(network) ?? emptyNetwork, this.now),
      gateway: gatewayAt(this.gateway, this.now),
      code: codeAt(this.codes.get(code) ?? emptyCode, this.now),
    };
  }

  tell(userid: string, told: GuardEvent, code = ''): GuardAnswer {
    const { now, perDay } = this;
    const event = told.type === 'stored-ended' ? { answers: this.#unwritten + 1, ...told } : told;
    const network = 'caller' in event && event.caller ? event.caller.network : '';
    const memory = this.memory(userid, code, network);
    const { answer, next } = guard(memory, { now, perDay }, event);
    if (event.type === 'stored-ended' && event.outcome.type !== 'unknown') {
      this.#unwritten = next.gateway.answered === memory.gateway.answered ? this.#unwritten + 1 : 0;
    }
    this.students.set(userid, next.student);
    this.gateway = next.gateway;
    if (code !== '') this.codes.set(code, next.code);
    if (network !== '') this.networks.set(network, next.network);
    return answer;
  }
}

export const stranger = (network = 'net-1', over: Partial<Caller> = {}): Caller => ({
  network,
  trusted: false,
  home: [`home-${network}`],
  token: [],
  proof: null,
  ...over,
});
export const holder = (network = 'net-1', token = 'last token'): Caller => stranger(network, { token: [token] });

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
  return 'step' in answer && answer.why !== 'person' ? `${answer.rule} ${answer.step}` : answer.rule;
};
