import { standingOf } from './comparing.ts';
import type { GuardDecision, GuardEvent, GuardMemory } from './events.ts';
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

/**
 * The login guard as one table: what is remembered and what happens give the answer and what is to be remembered, every
 * booking included. `perDay` is N of `CAMPUS_REFUSALS_PER_DAY`; the memory is the one of `now`.
 */
export const guard = (
  memory: GuardMemory,
  { now, perDay }: { readonly now: number; readonly perDay: number },
  event: GuardEvent,
): GuardDecision => {
  const { student } = memory;
  switch (event.type) {
    case 'comparing': {
      const over = wait('G2', 'login-wait', standingOf(student, event.caller, now).waitSeconds);
      return { answer: over ?? go, next: memory };
    }
    case 'login-wanted':
      return wantsLogin(memory, event, perDay, now);
    case 'ask-begins':
      return beginsAsk(memory, event, perDay, now);
    case 'ask-ended':
      return endsAsk(memory, event, now);
    case 'stored-wanted':
      return wantsStored(memory, event, now);
    case 'early-renewal':
      return renewsEarly(memory, event, now);
    case 'stored-ended':
      return endsStored(memory, event, now);
    case 'challenge-opens':
      return opensChallenge(memory, event, now);
    case 'challenge-sends':
      return sendsCode(memory, event, now);
    case 'challenge-unsent':
      return givesCodeBack(memory, event);
    case 'challenge-passed':
      return passesChallenge(memory, event, now);
    case 'portal-wanted':
      return wantsPortal(memory, event, now);
    case 'captcha-met':
      return meetsCaptcha(memory, now);
    case 'post-begins':
      return beginsPost(memory, event, now);
    case 'post-ended':
      return endsPost(memory, event);
    case 'deletion-wanted':
      return wantsDeletion(memory, event, now);
    case 'registration-wanted': {
      const waits = wait('G5', 'registration-wait', registrationWait(memory, event.caller, perDay, now));
      return { answer: waits ?? go, next: memory };
    }
    case 'registration-begins':
      return beginsRegistration(memory, event, perDay, now);
    case 'registration-ended':
      return endsRegistration(memory, event, now);
    case 'token-used':
      return { answer: noted, next: { ...memory, student: withUsedNetwork(student, event.home, now) } };
    case 'revoked':
      return { answer: noted, next: { ...memory, student: { ...student, networks: [] } } };
    case 'unlocked': {
      const unlock = { hash: event.hash, until: now + n.unlock.lifeMs, tries: n.unlock.tries };
      return {
        answer: noted,
        next: { ...memory, student: { ...student, mismatches: [], asks: [], unheld: [], challenges: [], unlock } },
      };
    }
  }
};
