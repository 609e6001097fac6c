import { Type } from '@sinclair/typebox';
import { failures, passwordFateOf } from '../../../domain/errors.ts';
import { nullable, type RecordOf } from '../../../domain/record.ts';
import { isRecord } from '../../../lib/text.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import { encryptRsa, type RsaKey, roomUnder } from '../../contract/rsa-password.ts';
import {
  type AskCredentials,
  type Fields,
  halfOf,
  imageAsked,
  isRedirect,
  type NeedsPerson,
  needsPerson,
  needsPersonElsewhere,
  type SignIn,
  type SignInAnswer,
  type SignInCall,
  unknownResume,
} from '../../contract/sign-in.ts';
import {
  beforeCredentials,
  type Failed,
  fail,
  isFirewall,
  mayHaveArrived,
  signInFailed,
  signInUnanswered,
  signInUnread,
  signInUnstable,
  withPasswords,
  withWords,
} from '../../contract/sign-in-failures.ts';
import { signInOutcomeOf } from '../../contract/told.ts';
import { asksNewPassword } from '../../parsing/forms.ts';
import { judgeShown, standingTexts } from '../../parsing/page-messages.ts';
import type { HttpAnswer } from '../../transport/http.ts';
import {
  closedWords,
  isMenuPath,
  isOwnNumber,
  type JwglxtLoginPage,
  parseLoginPage,
  parseMenu,
  refreshTarget,
  wantsSms,
} from './pages.ts';

const LOGIN = '/xtgl/login_slogin.html';
const MENU = '/xtgl/index_initMenu.html?jsdm=xs';
/** Memo key of the functions that the menu of the student names. */
export const FUNCTIONS = 'functions';

const Half = Type.Object({
  fields: Type.Array(Type.Array(Type.String())),
  logoutToken: nullable(Type.String()),
  isPlain: Type.Boolean(),
  countsFailures: Type.Boolean(),
  lockAfter: Type.Number(),
  lockMinutes: Type.Number(),
  standing: Type.Array(Type.String()),
});
type Half = RecordOf<typeof Half>;

const halfFrom = ({ wants: _, fields, ...login }: JwglxtLoginPage, standing: readonly string[]): Half => ({
  ...login,
  fields: fields.map(([name, value]) => [name, value]),
  standing: [...standing],
});

const failUnsent = (outcome: Failed): Failed => withPasswords(outcome, 'unsent');

/** A firewall, or a campus that is closed, in place of what is due before the password. */
const stopBefore = ({ step }: SignInCall, answer: HttpAnswer): Failed | null => {
  const { status, text } = answer;
  if (isFirewall(answer)) {
    const reason = 'a server cannot pass this firewall';
    return fail(failures.signInUnavailable(step, reason, { passwords: 'unsent', campusSays: 'blocked' }));
  }
  const words = closedWords(status, text);
  if (words === null) return null;
  const closed = failures.signInUnavailable(step, 'closed', { passwords: 'unsent', campusSays: 'closed' });
  return withWords(fail(closed), words);
};

/** What the page itself asks by script before the password. */
const scriptHeaders = (call: SignInCall) => ({
  'x-requested-with': 'XMLHttpRequest',
  referer: call.locate('', LOGIN)?.href ?? '',
});

const question = async (call: SignInCall, path: string, form: Fields): Promise<string | Failed> => {
  const answer = await call.ask({ method: 'POST', path, form, headers: scriptHeaders(call) });
  if (answer.kind === 'no-answer') return failUnsent(signInUnanswered(call.step, answer));
  return stopBefore(call, answer) ?? answer.text.trim();
};

const failGuarded = ({ step }: SignInCall, seconds: number): Failed => {
  const lockedSeconds = Math.max(1, Math.ceil(seconds));
  return fail(failures.signInGuarded(step, 'locked', { passwords: 'locked', lockedSeconds }));
};

/** The answer to how often the student has failed; null: nothing keeps the password back. */
const lockIn = (call: SignInCall, half: Half, text: string): Failed | null => {
  const said = text.replace(/^"|"$/g, '');
  // No student has that number, so no password is sent for it.
  if (said === '0') return fail(failures.credentialsRefused(call.step, 'unknown user', { passwords: 'unsent' }));
  const [, count = '', last = ''] = /^(\d{1,6})_(\d{10,13})$/.exec(said) ?? [];
  const endsAt = Number(last) + half.lockMinutes * MINUTE_MS;
  const isLocked = count !== '' && half.lockAfter >= 0 && Number(count) >= half.lockAfter && endsAt > call.now;
  return isLocked ? failGuarded(call, (endsAt - call.now) / 1000) : null;
};

/** Null: it is no key. */
export const keyIn = (text: string): RsaKey | null => {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(body)) return null;
  const [modulus, exponent] = [body.modulus, body.exponent].map((value) =>
    Buffer.from(typeof value === 'string' ? value : '', 'base64'),
  );
  if (!modulus?.length || !exponent?.length || exponent.length > 8) return null;
  return { modulus, exponent: BigInt(`0x${exponent.toString('hex')}`) };
};

const askKey = (call: SignInCall): Promise<RsaKey | Failed> =>
  beforeCredentials(
    call.step,
    () =>
      call.ask({ method: 'GET', path: `/xtgl/login_getPublicKey.html?time=${call.now}`, headers: scriptHeaders(call) }),
    (answer) => stopBefore(call, answer) ?? (answer.status === 200 ? keyIn(answer.text) : null),
    (isKnown) => call.saw('key', isKnown),
  );

const isFailed = (value: object): value is Failed => 'kind' in value && value.kind === 'failed';

/** The memo of a session whose menu this is; null: it is another student's, or no menu. */
export const memoOf = (page: string, userid: string): Readonly<Record<string, string>> | null => {
  const menu = parseMenu(page);
  return menu !== null && isOwnNumber(menu.owner, userid) ? { [FUNCTIONS]: JSON.stringify(menu.functions) } : null;
};

/** Proves that the session holds, and whose it is. `isAccepted`: the login has led there. */
const lookAtMenu = async (call: SignInCall, path: URL | string | null, isAccepted: boolean): Promise<SignInAnswer> => {
  if (path === null) return signInUnread(call.step);
  const answer = await call.ask({ method: 'GET', path });
  if (answer.kind === 'no-answer')
    return isAccepted ? withPasswords(signInUnanswered(call.step, answer), 'accepted') : signInUnread(call.step);
  const memo = answer.status === 200 ? memoOf(answer.text, call.userid) : null;
  call.saw('menu', memo !== null);
  if (memo !== null) return { kind: 'signed-in', memo };
  const isDead = answer.status === 901 || (isRedirect(answer.status) && /login_slogin/.test(answer.location ?? ''));
  return isDead && isAccepted ? signInUnstable(call.step) : signInUnread(call.step);
};

const imageNeeded = (half: Half, password: NeedsPerson['password'], last: NeedsPerson['last'] = 'none'): NeedsPerson =>
  needsPerson({ kind: 'captcha', image: null }, half, password, last);

/** A page in place of a session. `hadImage`: the text of one went with the password. */
const readRefusal = (call: SignInCall, { standing }: Half, { text }: HttpAnswer, hadImage: boolean): SignInAnswer => {
  if (asksNewPassword(text)) return needsPersonElsewhere('password-change', 'accepted');
  const { meaning, words } = judgeShown(text, standing);
  if (meaning === 'sms') return needsPersonElsewhere('sms', 'accepted');
  const told = signInOutcomeOf(call.step, meaning, words);
  const again = parseLoginPage(text);
  if (told === 'image') {
    // The password would go to that page next.
    const takesImage = again?.wants === 'image' || again?.wants === null;
    if (!takesImage) return needsPersonElsewhere('captcha', 'guarded');
    const half = halfFrom(again, standing);
    return hadImage ? imageNeeded(half, 'unsent', 'wrong') : imageNeeded(half, 'guarded');
  }
  if (told !== null) return told.kind === 'failed' ? withWords(told, words) : told;
  if (again === null && wantsSms(text)) return needsPersonElsewhere('sms', 'accepted');
  return withWords(signInUnread(call.step), words);
};

const judge = async (call: SignInCall, half: Half, answer: HttpAnswer, hadImage: boolean): Promise<SignInAnswer> => {
  const { status, text, location = '' } = answer;
  if (isRedirect(status)) {
    if (isMenuPath(location)) return lookAtMenu(call, call.locate(location, LOGIN), true);
    // One school resets the first password like this, another has taken it: only the session tells.
    return /login_slogin/.test(location) ? lookAtMenu(call, MENU, false) : signInUnread(call.step);
  }
  const target = status === 200 ? refreshTarget(text) : null;
  if (target !== null && isMenuPath(target)) return lookAtMenu(call, call.locate(target, LOGIN), true);
  if (isFirewall(answer)) return signInUnread(call.step, answer);
  if (status !== 200) return withWords(signInUnread(call.step), closedWords(status, text) ?? '');
  return readRefusal(call, half, answer, hadImage);
};

/** RSA under a key of the session or as it is typed, as the page says. Sliders and codes are not walked. */
export const jwglxtSignIn = (): SignIn => {
  let longest = Number.POSITIVE_INFINITY;

  /** The password as the page wants it. */
  const writePassword = (call: SignInCall, key: RsaKey | null, password: string): string | Failed => {
    if (key === null) return password;
    const encrypted = encryptRsa(Buffer.from(password, 'utf8'), key);
    return typeof encrypted === 'string'
      ? failUnsent(signInFailed(call.step, encrypted))
      : encrypted.toString('base64');
  };

  /** What the page asks before it sends the password; then the password, once. */
  const submit = async (
    call: SignInCall,
    half: Half,
    credentials: AskCredentials,
    image: string | null,
  ): Promise<SignInAnswer> => {
    const { logoutToken, countsFailures, isPlain, fields } = half;
    const yhm: Fields = [['yhm', call.userid]];
    if (logoutToken !== null) {
      const confirm = await question(call, '/xtgl/yhgl_cxXxqrCheck.html', yhm);
      if (typeof confirm !== 'string') return confirm;
      if (confirm === 'true') return needsPersonElsewhere('unknown', 'unsent');
    }
    if (countsFailures) {
      const refusals = await question(call, '/xtgl/login_cxDlxgxx.html', yhm);
      const stop = typeof refusals === 'string' ? lockIn(call, half, refusals) : refusals;
      if (stop !== null) return stop;
    }
    if (logoutToken !== null) {
      const ended = await question(call, '/xtgl/login_logoutAccount.html', [['csrfTokenLogout', logoutToken]]);
      if (typeof ended !== 'string') return ended;
    }
    const key = isPlain ? null : await askKey(call);
    if (key !== null && isFailed(key)) return failUnsent(key);
    longest = key === null ? Number.POSITIVE_INFINITY : roomUnder(key);
    const pair = await credentials();
    if ('kind' in pair) return pair;
    const mm = writePassword(call, key, pair.password);
    if (typeof mm !== 'string') return mm;
    const form = fields.map(
      ([name = '', value = '']) => [name, name === 'yhm' ? pair.userid : name === 'mm' ? mm : value] as const,
    );
    const answer = await call.ask({
      method: 'POST',
      path: `${LOGIN}?time=${call.now}`,
      form: image === null ? form : [...form, ['yzm', image]],
    });
    if (answer.kind === 'no-answer')
      return mayHaveArrived(answer) ? signInUnread(call.step) : failUnsent(signInUnanswered(call.step, answer));
    const outcome = await judge(call, half, answer, image !== null);
    call.saw('password', outcome.kind !== 'failed' || passwordFateOf(outcome.failure) !== 'unread');
    return outcome;
  };

  return {
    async signIn(call, credentials) {
      const opened = await beforeCredentials(
        call.step,
        () => call.ask({ method: 'GET', path: LOGIN }),
        (answer): Failed | { readonly login: JwglxtLoginPage; readonly standing: string[] } | null => {
          const login = answer.status === 200 ? parseLoginPage(answer.text) : null;
          return login === null ? stopBefore(call, answer) : { login, standing: standingTexts(answer.text) };
        },
        (isKnown) => call.saw('login', isKnown),
      );
      if ('kind' in opened) return opened;
      const half = halfFrom(opened.login, opened.standing);
      switch (opened.login.wants) {
        case 'unknown-cipher':
          return failUnsent(signInFailed(call.step, 'password wanted by an unknown cipher'));
        case 'slider':
          return needsPersonElsewhere('unknown', 'unsent');
        case 'sms':
          return needsPersonElsewhere('sms', 'unsent');
        case 'image':
          return imageNeeded(half, 'unsent');
        case null:
          return submit(call, half, credentials, null);
      }
    },

    async send(call, resume) {
      const half = halfOf(Half, resume);
      if (half === null) return unknownResume(call.step);
      const image = await call.ask({ method: 'GET', path: `/kaptcha?time=${call.now}`, image: true });
      const asked = imageAsked(call.step, image);
      return asked.kind === 'failed' ? asked : needsPerson(asked, half, 'unsent');
    },

    async answer(call, resume, text, credentials) {
      const half = halfOf(Half, resume);
      return half === null ? unknownResume(call.step) : submit(call, half, () => Promise.resolve(credentials), text);
    },

    longestPassword: () => longest,
  };
};
