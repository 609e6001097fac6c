import { standingOf } from './comparing.ts';
import type { EventName, GuardDecision, GuardEvent, GuardMemory, Moment, Rule } from './events.ts';
import { beginsAsk, endsAsk, wantsLogin } from './login.ts';
import { guardNumbers as n } from './numbers.ts';
import { go, noted, wait, withUsedNetwork } from './parts.ts';
import {
  beginsPost,
  endsPost,
  givesCodeBack,
  meetsCaptcha,
  opensChallenge,
  passesChallenge,
  sendsCode,
  wantsPortal,
} from './person.ts';
import { beginsRegistration, endsRegistration, registrationWait } from './registration.ts';
import { endsStored, renewsEarly, wantsDeletion, wantsStored } from './stored.ts';

/** The parts of the guard's memory that are locked against all others, on all replicas, while one is changed. */
export type GuardPart = 'student' | 'gateway' | 'code';

interface Row<K extends EventName> {
  /** What it may change. Until the campus has answered, a login with the stored pair never waits for the shared row. */
  readonly changes: readonly GuardPart[];
  /** It does so nearly always: looking first would only cost a statement. */
  readonly always?: true;
  readonly rule: Rule<K>;
}

const student = ['student'] as const;
const gateway = ['gateway'] as const;
const both = ['student', 'gateway'] as const;
const all = ['student', 'gateway', 'code'] as const;

/** The login guard as one table, every booking included. */
export const guardTable: { readonly [K in EventName]: Row<K> } = {
  comparing: {
    changes: [],
    rule: (memory, { caller }, { now }) => ({
      answer: wait('G2', 'login-wait', standingOf(memory.student, caller, now).waitSeconds) ?? go,
      next: memory,
    }),
  },
  'login-wanted': { changes: student, always: true, rule: wantsLogin },
  'ask-begins': { changes: both, always: true, rule: beginsAsk },
  'ask-ended': { changes: both, always: true, rule: endsAsk },
  'stored-wanted': { changes: gateway, rule: wantsStored },
  'early-renewal': { changes: student, always: true, rule: renewsEarly },
  'stored-ended': { changes: both, rule: endsStored },
  'challenge-opens': { changes: both, always: true, rule: opensChallenge },
  'challenge-sends': { changes: student, always: true, rule: sendsCode },
  'challenge-unsent': { changes: student, always: true, rule: givesCodeBack },
  'challenge-passed': { changes: both, rule: passesChallenge },
  'portal-wanted': { changes: both, rule: wantsPortal },
  'captcha-met': { changes: both, rule: meetsCaptcha },
  'post-begins': { changes: gateway, always: true, rule: beginsPost },
  'post-ended': { changes: gateway, always: true, rule: endsPost },
  'deletion-wanted': { changes: student, rule: wantsDeletion },
  'registration-wanted': {
    changes: [],
    rule: (memory, { caller }, { now, perDay }) => ({
      answer: wait('G5', 'registration-wait', registrationWait(memory, caller, perDay, now)) ?? go,
      next: memory,
    }),
  },
  'registration-begins': { changes: all, rule: beginsRegistration },
  'registration-ended': { changes: all, rule: endsRegistration },
  'token-used': {
    changes: student,
    rule: (memory, { home }, { now }) => ({
      answer: noted,
      next: { ...memory, student: withUsedNetwork(memory.student, home, now) },
    }),
  },
  unlocked: {
    changes: student,
    rule: (memory, { hash }, { now }) => {
      const unlock = { hash, until: now + n.unlock.lifeMs, tries: n.unlock.tries };
      const freed = { ...memory.student, mismatches: [], asks: [], unheld: [], challenges: [], unlock };
      return { answer: noted, next: { ...memory, student: freed } };
    },
  },
  revoked: {
    changes: student,
    rule: (memory) => ({ answer: noted, next: { ...memory, student: { ...memory.student, networks: [] } } }),
  },
};

/** What the table says; the memory is the one of that moment. */
export const guard = <K extends EventName>(memory: GuardMemory, at: Moment, event: GuardEvent<K>): GuardDecision =>
  guardTable[event.type].rule(memory, event, at);
