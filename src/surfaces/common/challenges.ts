import type { Static } from '@sinclair/typebox';
import { type Challenge, challengeKinds, isChallengeKind } from '../../domain/challenge.ts';
import { type PersonalStep, type SignInStep, signInSteps } from '../../domain/errors.ts';
import { enumOf, flag, integer, listOf, object, text, textOrNull } from '../../domain/record.ts';
import { campusTimestamp } from '../../lib/time.ts';
import { challengeText, personText } from './texts.ts';

export const LoginChallenge = object('LoginChallenge', 'What only the student can do.', {
  id: textOrNull(
    'All that `/auth/challenges/{id}` needs: as secret as a token. Null: nothing is open that could be answered.',
    'ZXhhbXBsZS1jaGFsbGVuZ2UtZm9yLXRoZS1kb2N1bWVudC0',
  ),
  step: enumOf(signInSteps, { description: 'Which of the two logins wants it.', examples: ['portal'] }),
  kind: enumOf([...challengeKinds, 'elsewhere'], {
    description:
      'The characters of an image, a code by SMS, a one-time password; or something on the page of the portal itself. New ones may be added.',
    examples: ['sms'],
  }),
  message: text('What to do, for people.', '学校VPN门户要求短信验证码，请在应用中完成验证'),
  image_png_base64: textOrNull(
    'The captcha in base64, as the portal delivers it, at most 256 KiB: PNG, and where its first bytes say so GIF or JPEG. Null for all other kinds.',
    null,
  ),
  targets: listOf(
    object('ChallengeTarget', 'A phone that a code can be sent to.', {
      index: integer('What `send` wants as `target`.', 0),
      label: text('Masked number.', '138****0000'),
    }),
    'Phones to choose from; empty: there is no choice, or none is known yet.',
  ),
  sent: enumOf(['unknown', 'perhaps', 'yes'], {
    description:
      'Whether a code is on its way. The campus does not say for certain: `unknown` before one was asked for, then `perhaps` or `yes`.',
    examples: ['unknown'],
  }),
  still_valid: flag('The portal says that the earlier code still holds.', false),
  answers_left: integer('Answers that may still be sent.', 3),
  resend_after: integer('Seconds until a code may be sent, or another image shown; 0: now.', 0),
  expires_at: textOrNull('Its end, in campus time.', '2026-03-18 10:05:00'),
  page_url: textOrNull(
    'Page of this service where the student logs in and answers in a browser; null where its address is unknown.',
    'https://campus.example.edu/challenge',
  ),
});

export const PersonNeeded = object('PersonNeeded', 'The campus wants more than passwords.', {
  challenge: LoginChallenge,
});

/** The page on which a student without a suitable app answers, and the time zone of its times. */
export interface ChallengePlace {
  readonly pageUrl: string | null;
  readonly timeZone: string;
}

const noCode = { targets: [], sent: 'unknown', stillValid: false } as const;

export const presentChallenge = (challenge: Challenge, place: ChallengePlace): Static<typeof LoginChallenge> => {
  const { id, step, asked, answersLeft, resendAfter, expiresAt } = challenge;
  const { targets, sent, stillValid } = asked.kind === 'sms' ? asked : noCode;
  return {
    id,
    step,
    kind: asked.kind,
    message: challengeText(challenge, place.pageUrl),
    image_png_base64: asked.kind === 'captcha' && asked.image ? asked.image.base64 : null,
    targets: targets.map((label, index) => ({ index, label })),
    sent,
    still_valid: stillValid,
    answers_left: answersLeft,
    resend_after: resendAfter,
    expires_at: campusTimestamp(expiresAt, place.timeZone),
    page_url: place.pageUrl,
  };
};

/** A step that is wanted while no challenge is open: nothing can be answered. */
export const presentWanted = (
  step: SignInStep,
  wanted: PersonalStep,
  pageUrl: string | null,
  message = personText(wanted, step),
): Static<typeof LoginChallenge> => ({
  id: null,
  step,
  kind: isChallengeKind(wanted) ? wanted : 'elsewhere',
  message,
  image_png_base64: null,
  targets: [],
  sent: 'unknown',
  still_valid: false,
  answers_left: 0,
  resend_after: 0,
  expires_at: null,
  page_url: pageUrl,
});
