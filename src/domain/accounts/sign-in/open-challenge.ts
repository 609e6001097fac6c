import { MINUTE_MS } from '../../../lib/time.ts';
import type { Challenge, HalfSignIn } from '../../challenge.ts';
import { type Failure, failures } from '../../errors.ts';
import { type Handle, homeNamesOf } from '../guard/callers.ts';
import type { ChallengeRow } from '../ports.ts';

export const CHALLENGE_LIFE_MS = 5 * MINUTE_MS;
const ANSWERS = 3;
const IMAGES = 3;
const RESEND_MS = 60_000;
const LONGEST_ANSWER = 64;

const ranks = { 'home-token': 2, home: 2, token: 1, stranger: 0 } as const;

/** The form of each kind of code; anything else is not sent to the campus. */
const forms = { captcha: /^[A-Za-z0-9]{1,8}$/, sms: /^\d{4,8}$/, totp: /^\d{6,8}$/ } as const;

const secondsUntil = (moment: number, now: number): number => Math.max(1, Math.ceil((moment - now) / 1000));

type Begun = Pick<ChallengeRow, 'idHash' | 'userid' | 'purpose' | 'pair' | 'keep' | 'invite' | 'opener'>;

/**
 * A challenge is `open`, then `answering` while an answer is on its way, then open again, passed or ended. Each step returns
 * the next revision, which is stored before anything is sent.
 */
export class OpenChallenge {
  readonly row: ChallengeRow;

  constructor(row: ChallengeRow) {
    this.row = row;
  }

  static begin(begun: Begun, half: HalfSignIn, now: number): OpenChallenge {
    return new OpenChallenge({
      ...begun,
      ...half,
      phase: 'open',
      imagesLeft: IMAGES - (half.asked.kind === 'captcha' ? 1 : 0),
      resendAt: now,
      chosen: null,
      left: ANSWERS,
      expiresAt: now + CHALLENGE_LIFE_MS,
      revision: 1,
    });
  }

  /** The next image has to be fetched. */
  get lacksImage(): boolean {
    const { asked } = this.row;
    return asked.kind === 'captcha' && asked.image === null;
  }

  /**
   * An owner's ends a stranger's, one from home a token's, and a newer one of the same caller or the same home network its
   * own: there a page without a token goes on where an app with it was told to.
   */
  yieldsTo(handle: Handle): boolean {
    const { opener } = this.row;
    const share = (these: readonly string[], those: readonly string[]) => these.some((name) => those.includes(name));
    return (
      ranks[handle.kind] > ranks[opener.kind] ||
      share(handle.names, opener.names) ||
      share(homeNamesOf(handle), homeNamesOf(opener))
    );
  }

  secondsLeft(now: number): number {
    return secondsUntil(this.row.expiresAt, now);
  }

  /** The answer as it is sent. @throws Failure `challenge-answer`: nothing is sent or counted */
  code(answer: string): string {
    const code = answer.length > LONGEST_ANSWER ? '' : answer.trim();
    if (!forms[this.row.asked.kind].test(code)) throw failures.challengeAnswer();
    return code;
  }

  /** Before a code or another image is asked for. @throws Failure `rate-limited`, `challenge-target` */
  sending(target: number | undefined, now: number): OpenChallenge {
    const { asked, imagesLeft, resendAt } = this.row;
    const refuse = (reason: string, until: number): Failure => failures.rateLimited(secondsUntil(until, now), reason);
    if (asked.kind === 'totp') throw failures.challengeTarget('nothing to send');
    if (asked.kind === 'captcha') {
      if (imagesLeft <= 0) throw refuse('spent', this.row.expiresAt);
      return this.#next({ imagesLeft: imagesLeft - 1, last: this.lacksImage ? this.row.last : 'none' });
    }
    if (resendAt > now) throw refuse('too-soon', resendAt);
    const sent = asked.sent === 'yes' ? 'yes' : 'perhaps';
    return this.#next({
      asked: { ...asked, sent },
      chosen: this.#phone(asked.targets, target),
      resendAt: now + RESEND_MS,
      last: 'none',
    });
  }

  /** Null: there is no choice. */
  #phone(targets: readonly string[], wanted: number | undefined): number | null {
    const index = wanted ?? this.row.chosen;
    if (targets.length < 2) {
      if (wanted === undefined || wanted === 0) return null;
      throw failures.challengeTarget('no choice');
    }
    if (index === null || targets[index] === undefined) throw failures.challengeTarget('which phone');
    return index;
  }

  /** The campus has sent a code or an image. */
  noteSent(half: HalfSignIn, now: number): OpenChallenge {
    const { asked } = half;
    const wait = asked.kind === 'sms' ? { resendAt: now + asked.resendAfter * 1000 } : {};
    // An image that replaces a misread one says so.
    const last = asked.kind === 'captcha' ? this.row.last : half.last;
    return this.#next({ ...half, last, ...wait });
  }

  answering(): OpenChallenge {
    return this.#next({ phase: 'answering', left: this.row.left - 1 });
  }

  /** The campus asks again, or for one more step; null: it has ended. Only wrong answers count. */
  noteAnswered(half: HalfSignIn, now: number): OpenChallenge | null {
    const { asked, left } = this.row;
    const isWrong = half.last === 'wrong' || (half.last === 'expired' && half.asked.kind !== 'captcha');
    const isSame = isWrong && half.asked.kind !== 'captcha';
    const more = {
      ...half,
      phase: 'open',
      // A wrong code leaves what was sent as it was.
      ...(isSame ? { asked } : { resendAt: now, chosen: null }),
      left: isWrong ? left : left + 1,
    } as const;
    if (more.left <= 0 || (half.asked.kind === 'captcha' && this.row.imagesLeft <= 0)) return null;
    return this.#next(more);
  }

  /** Restores the challenge when nothing has left the service. */
  noteUnsent(before: OpenChallenge): OpenChallenge {
    return this.#next({ ...before.row, revision: this.row.revision });
  }

  view(id: string, now: number): Challenge {
    const { purpose, step, asked, last, left, resendAt, expiresAt } = this.row;
    const resendAfter = asked.kind === 'sms' ? Math.max(0, Math.ceil((resendAt - now) / 1000)) : 0;
    return { id, purpose, step, asked, last, answersLeft: left, resendAfter, expiresAt };
  }

  #next(change: Partial<ChallengeRow>): OpenChallenge {
    const next = { ...this.row, ...change };
    return new OpenChallenge({ ...next, revision: next.revision + 1 });
  }
}
