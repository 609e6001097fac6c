import { failures, type SignInStep } from '../../domain/errors.ts';
import { lockSecondsIn, type TextMeaning } from '../parsing/login-texts.ts';
import { type NeedsPerson, needsPersonElsewhere } from './sign-in.ts';
import { type Failed, fail } from './sign-in-failures.ts';

/**
 * What the text of an answer to a password, which means that, comes to at any portal or login. `image`: a product that can show one does;
 * for others `elsewhere`. Null: the answer is unknown.
 */
export const signInOutcomeOf = (
  step: SignInStep,
  meaning: TextMeaning | null,
  text: string,
): Failed | NeedsPerson | 'image' | null => {
  switch (meaning) {
    case null:
      return null;
    case 'refused':
      return fail(failures.credentialsRefused(step, 'refused'));
    // These speak of the account alone.
    case 'locked':
    case 'no-access':
    case 'unknown-user': {
      const lockedSeconds = meaning === 'locked' ? lockSecondsIn(text) : undefined;
      return fail(failures.signInGuarded(step, meaning, { passwords: 'locked', lockedSeconds }));
    }
    case 'attacked':
    case 'address':
      return fail(failures.signInGuarded(step, meaning, { campusSays: 'blocked' }));
    case 'too-often':
      return fail(failures.signInGuarded(step, meaning));
    case 'closed':
      return fail(failures.signInUnavailable(step, meaning, { passwords: 'closed', campusSays: 'closed' }));
    case 'change':
      return needsPersonElsewhere('password-change', 'accepted');
    case 'slider':
      return needsPersonElsewhere('unknown', 'guarded');
    case 'sms':
    case 'code':
      return needsPersonElsewhere('unknown', 'accepted');
    case 'image':
      return 'image';
  }
};
