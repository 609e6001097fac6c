import { hash } from 'node:crypto';
import { isRecord } from '../../../lib/text.ts';
import {
  isRedirect,
  needsPersonElsewhere,
  type SignIn,
  type SignInAnswer,
  type SignInCall,
} from '../../contract/sign-in.ts';
import {
  beforeCredentials,
  mayHaveArrived,
  signInUnanswered,
  signInUnread,
  signInUnstable,
  withPasswords,
  withWords,
} from '../../contract/sign-in-failures.ts';
import { signInOutcomeOf } from '../../contract/told.ts';
import { judgeText } from '../../parsing/login-texts.ts';
import { plainMessage } from '../../parsing/text.ts';
import type { HttpAnswer } from '../../transport/http.ts';

/** Where the school leads the session of a student, whose id it names. */
export const ENTRANCE = '/for-std/course-table';
/** Memo key of the school's id of the student. */
export const STUDENT_ID = 'student-id';

/** The id in the redirect of the session itself; null: it leads elsewhere. */
export const studentIdIn = (location: string | undefined): string | null =>
  /\/(?:course-table\/info|sheet\/semester-index)\/(\d{1,20})(?:[?#]|$)/.exec(location ?? '')?.[1] ?? null;

/** A uuid, which may stand in quotes. */
export const saltIn = (text: string): string | null =>
  /^"?([\da-z]{4,16}(?:-[\da-z]{4,16}){2,6})"?$/i.exec(text.trim())?.[1] ?? null;

/** The answer to a password; null: it is none. */
export const outcomeIn = (text: string): { result: boolean; wantsImage: boolean; message: string } | null => {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(body) || typeof body.result !== 'boolean') return null;
  const message = typeof body.message === 'string' ? body.message : '';
  return { result: body.result, wantsImage: body.needCaptcha === true, message };
};

/** Its own login page, or that of a unified login. */
export const showsLogin = (text: string): boolean =>
  text.includes('登入页面') || (text.includes('name="lt"') && text.includes('execution'));

/** The login page and its firewall, where JSON or a salt was due. */
const isClosed = (status: number): boolean => [202, 403, 412].includes(status) || status >= 500;

/** The proof that the session holds, and whose it is at the school. */
const proveSession = async (call: SignInCall): Promise<SignInAnswer> => {
  const answer = await call.ask({ method: 'GET', path: ENTRANCE });
  if (answer.kind === 'no-answer') return withPasswords(signInUnanswered(call.step, answer), 'accepted');
  const id = isRedirect(answer.status) ? studentIdIn(answer.location) : null;
  call.saw('entrance', id !== null || answer.status === 200);
  if (id !== null) return { kind: 'signed-in', memo: { [STUDENT_ID]: id } };
  if (showsLogin(answer.text)) return signInUnstable(call.step);
  // Its page instead of a redirect names the student as well, and is read when it is needed.
  if (answer.status === 200) return { kind: 'signed-in' };
  return isRedirect(answer.status) ? signInUnstable(call.step) : signInUnread(call.step);
};

const judge = (call: SignInCall, answer: HttpAnswer): SignInAnswer | null => {
  const { status, text } = answer;
  const outcome = status === 200 ? outcomeIn(text) : null;
  call.saw('login', outcome !== null || isClosed(status));
  if (outcome === null) return signInUnread(call.step, answer);
  if (outcome.result) return null;
  const told = signInOutcomeOf(call.step, judgeText(outcome.message), outcome.message);
  const words = plainMessage(outcome.message);
  // A refusal beside the wish for an image is a refusal: the image is wanted from now on.
  if (told !== null && told !== 'image') return told.kind === 'failed' ? withWords(told, words) : told;
  if (outcome.wantsImage || told === 'image') return needsPersonElsewhere('unknown', 'guarded');
  return withWords(signInUnread(call.step), words);
};

/** Salt, one password as SHA-1, and a look at the session. Images and sliders are not walked. */
export const eams5SignIn: SignIn = {
  async signIn(call, credentials) {
    const salt = await beforeCredentials(
      call.step,
      () => call.ask({ method: 'GET', path: '/login-salt' }),
      ({ status, text }) => (status === 200 ? saltIn(text) : null),
      (isKnown) => call.saw('salt', isKnown),
    );
    if (typeof salt !== 'string') return salt;
    const pair = await credentials();
    if ('kind' in pair) return pair;
    const answer = await call.ask({
      method: 'POST',
      path: '/login',
      jsonBody: {
        username: pair.userid,
        password: hash('sha1', `${salt}-${pair.password}`),
        captcha: '',
        captchaToken: '',
      },
    });
    if (answer.kind === 'no-answer')
      return mayHaveArrived(answer) ? signInUnread(call.step) : signInUnanswered(call.step, answer);
    return judge(call, answer) ?? proveSession(call);
  },
  longestPassword: () => Number.POSITIVE_INFINITY,
};
