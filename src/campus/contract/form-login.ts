import { Type } from '@sinclair/typebox';
import { failures, type PersonalStep, type SignInStep } from '../../domain/errors.ts';
import { nullable, type RecordOf } from '../../domain/record.ts';
import { asksNewPassword } from '../parsing/forms.ts';
import { judgeShown, showsSlider } from '../parsing/page-messages.ts';
import type { HttpAnswer } from '../transport/http.ts';
import type { UnifiedLogin } from './portal.ts';
import {
  type Credentials,
  type Fields,
  halfOf,
  imageAsked,
  isRedirect,
  LoginForm,
  type NeedsPerson,
  needsPerson,
  needsPersonElsewhere,
  type SignedIn,
  type SignIn,
  type SignInAnswer,
  type SignInCall,
  unknownResume,
} from './sign-in.ts';
import {
  beforeCredentials,
  type Failed,
  fail,
  mayHaveArrived,
  signInFailed,
  signInUnanswered,
  signInUnread,
  withPasswords,
  withWords,
} from './sign-in-failures.ts';
import { signInOutcomeOf } from './told.ts';

/** What a page of the login says of the password that it was sent. `image`: it wants the text of one. */
export type AfterPassword = NeedsPerson | Failed | 'image' | { readonly kind: 'unread'; readonly words: string };

/** `standing`: texts that stood on the page before. */
export const readAfterPassword = (
  page: string,
  login: { stepIn(text: string): PersonalStep | null },
  standing: readonly string[] = [],
  half: SignInStep = 'unified-login',
): AfterPassword => {
  if (asksNewPassword(page)) return needsPersonElsewhere('password-change', 'accepted');
  const { meaning, words } = judgeShown(page, standing);
  const told = signInOutcomeOf(half, meaning, words);
  if (told === 'image') return told;
  if (told !== null) return told.kind === 'failed' ? withWords(told, words) : told;
  // It stands there now, whatever became of the password.
  if (showsSlider(page)) return needsPersonElsewhere('unknown', 'guarded');
  const step = login.stepIn(page);
  return step === null ? { kind: 'unread', words } : needsPersonElsewhere(step, 'accepted');
};

const passwordMark = /pass|pwd|psw|mima/i;
/** A flow of the login goes on there. */
const flowMark = /execution|flow|event|step/i;

/** Where a login leads after a password without a ticket, within itself: null where that is its first page again. */
export const readRedirectInside = (target: URL, loginPath: string): NeedsPerson | null => {
  const query = [...target.searchParams.keys()].filter((name) => name !== 'service').join(' ');
  if (passwordMark.test(target.pathname) || passwordMark.test(query))
    return needsPersonElsewhere('password-change', 'accepted');
  return target.pathname === loginPath && !flowMark.test(query) ? null : needsPersonElsewhere('unknown', 'accepted');
};

/** `image`: the characters were wrong, and the page that took them is spent. */
type FormLoginAnswer = SignInAnswer | 'image';

/** What is particular to a login that is one page with one form. */
interface LoginPages {
  /** Null: the page takes no password. */
  readForm(text: string): LoginForm | null;
  /** `image`: the characters that the person has read; empty: the page shows none. */
  fields(form: LoginForm, credentials: Credentials, image: string): Fields;
  /** Whether the image of the form is wanted, where the login has to be asked; left out: wherever the page shows one. */
  wantsImage?(call: SignInCall, form: LoginForm): Promise<boolean | NeedsPerson | Failed>;
  /** Refusals beyond those that the table of texts knows, redirects above all, whose text is not passed. */
  isRefusal?(text: string, answer: HttpAnswer): boolean;
  /** The step that the page wants in place of a password, or null. No person can take it here. */
  stepIn(text: string): PersonalStep | null;
  /** What the page wants done to the password that this login cannot do; null: nothing. No password is sent to it. */
  unknownCipher?(text: string): string | null;
  /** The path of the page; `service`: what a ticket is wanted for. `renews`: it asks for the password in any case. */
  readonly page?: (service: string | null, renews: boolean) => string;
  /** The path that takes the form; left out: that of the page. */
  readonly action?: string;
  /** The session that an answer has opened, or null. Left out: one with a ticket does. */
  acceptSession?(answer: HttpAnswer): SignedIn | null;
  /** What else an answer to the password says, asked before anything but the session; null: nothing that we know. */
  saidIn?(
    answer: HttpAnswer,
    call: SignInCall,
    service: string | null,
  ): FormLoginAnswer | null | Promise<FormLoginAnswer | null>;
  readonly longestPassword?: () => number;
}

export interface UnifiedLoginPages extends LoginPages {
  isLoginPage(text: string): boolean;
}

const FormLoginHalf = Type.Object({ service: nullable(Type.String()), form: LoginForm });
type FormLoginHalf = RecordOf<typeof FormLoginHalf>;

const imageNeeded = (half: FormLoginHalf, last: NeedsPerson['last'], password: NeedsPerson['password']): NeedsPerson =>
  needsPerson({ kind: 'captcha', image: null }, half, password, last);

export const casPage = (service: string | null, renews: boolean): string =>
  `/login?service=${encodeURIComponent(service ?? '')}${renews ? '&renew=true' : ''}`;

/** The ticket of a unified login stands in its redirect. */
export const withTicket = ({ status, location }: HttpAnswer): SignedIn | null =>
  [301, 302, 303].includes(status) && location?.includes('ticket=') ? { kind: 'signed-in', ticket: location } : null;

/** A sign-in that gets one page, and posts one form with the password, exactly once and never beside an image. */
export const formLogin = ({
  readForm,
  fields,
  wantsImage,
  isRefusal = () => false,
  stepIn,
  unknownCipher = () => null,
  page = casPage,
  action,
  acceptSession: signedIn = withTicket,
  saidIn = () => null,
  longestPassword = () => Number.POSITIVE_INFINITY,
}: LoginPages): SignIn => {
  const readLogin = (call: SignInCall, answer: HttpAnswer): LoginForm | SignInAnswer | null => {
    const done = signedIn(answer);
    if (done !== null) return done;
    if (answer.status !== 200) return null;
    const cipher = unknownCipher(answer.text);
    if (cipher !== null) {
      return withPasswords(signInFailed(call.step, `password wanted by an unknown cipher: ${cipher}`), 'unsent');
    }
    if (showsSlider(answer.text)) return needsPersonElsewhere('unknown', 'unsent');
    const form = readForm(answer.text);
    const step = form === null ? stepIn(answer.text) : null;
    return step === null ? form : needsPersonElsewhere(step, 'unsent');
  };

  /** Reads the answer to a password that opened no session. */
  const afterPassword = (
    call: SignInCall,
    answer: HttpAnswer,
    { service, form: before }: FormLoginHalf,
    image: string | null,
  ): Exclude<AfterPassword, 'image'> => {
    const text = isRedirect(answer.status) ? '' : answer.text;
    if (isRefusal(text, answer)) return fail(failures.credentialsRefused(call.step));
    if (isRedirect(answer.status)) {
      // Another page of a unified login is a step of its flow; of an application it may be anything.
      const target = service === null ? null : call.leadsBack(answer.location, page(service, call.renews));
      const own = call.locate('', page(service, call.renews))?.pathname ?? '';
      return (target && readRedirectInside(target, own)) ?? { kind: 'unread', words: '' };
    }
    const { standing } = before;
    const read = readAfterPassword(text, { stepIn }, standing, call.step);
    if (read !== 'image' && read.kind !== 'unread') return read;
    // The password would go to this page next.
    const form = unknownCipher(text) === null ? readForm(text) : null;
    // An image that was not there before is wanted no matter what the page says, unless each page names one.
    const isNew = image === null && wantsImage === undefined;
    if (form !== null && form.captcha !== null && (isNew || read === 'image')) {
      const half = { service, form: { ...form, standing } };
      return image === null ? imageNeeded(half, 'none', 'guarded') : imageNeeded(half, 'wrong', 'unsent');
    }
    return read === 'image' ? needsPersonElsewhere('captcha', 'guarded') : read;
  };

  const openPage = (call: SignInCall, service: string | null) =>
    beforeCredentials(
      call.step,
      () => call.ask({ method: 'GET', path: page(service, call.renews) }),
      (answer) => readLogin(call, answer),
      (isKnown) => call.saw('login', isKnown),
    );

  /** The campus has not looked at the password. Another image belongs to another page. */
  const openAgain = async (call: SignInCall, service: string | null) => {
    const opened = await openPage(call, service);
    if (opened.kind === 'login-page') return imageNeeded({ service, form: opened }, 'wrong', 'unsent');
    return opened.kind === 'failed' ? withPasswords(opened, 'unsent') : opened;
  };

  /** `image`: the characters that a person has read; null: the page showed no image. */
  const submit = async (call: SignInCall, half: FormLoginHalf, credentials: Credentials, image: string | null) => {
    const form = fields(half.form, credentials, image ?? '');
    const answer = await call.ask({ method: 'POST', path: action ?? page(half.service, call.renews), form });
    if (answer.kind === 'no-answer') {
      const failure = signInUnanswered(call.step, answer);
      return image === null || mayHaveArrived(answer) ? failure : withPasswords(failure, 'unsent');
    }
    const said = signedIn(answer) ?? (await saidIn(answer, call, half.service));
    if (said === 'image') return openAgain(call, half.service);
    if (said === null && answer.status >= 500) return signInFailed(call.step, `status ${answer.status}`);
    const read = said ?? afterPassword(call, answer, half, image);
    call.saw('password', read.kind !== 'unread');
    return read.kind === 'unread' ? withWords(signInUnread(call.step, answer), read.words) : read;
  };

  return {
    async signIn(call, credentials): Promise<SignInAnswer> {
      const opened = await openPage(call, call.service);
      if (opened.kind !== 'login-page') return opened;
      const half = { service: call.service, form: opened };
      const isWanted = opened.captcha !== null && ((await wantsImage?.(call, opened)) ?? true);
      if (typeof isWanted !== 'boolean') return isWanted;
      if (isWanted) return imageNeeded(half, 'none', 'unsent');
      const pair = await credentials();
      return 'kind' in pair ? pair : submit(call, half, pair, null);
    },

    /** Fetches the image that a login waits for, which replaces an earlier one. */
    async send(call, resume) {
      const half = halfOf(FormLoginHalf, resume);
      if (half === null) return unknownResume(call.step);
      const image = half.form.captcha?.image ?? '';
      const path = call.locate(image.endsWith('?') ? image + call.now : image, page(half.service, call.renews));
      if (path === null) return needsPersonElsewhere('captcha', 'unsent');
      const asked = imageAsked(call.step, await call.ask({ method: 'GET', path, image: true }));
      return asked.kind === 'failed' ? asked : needsPerson(asked, half, 'unsent');
    },

    async answer(call, resume, text, credentials) {
      const half = halfOf(FormLoginHalf, resume);
      return half === null ? unknownResume(call.step) : submit(call, half, credentials, text);
    },

    longestPassword,
  };
};

export const unifiedLogin = (pages: UnifiedLoginPages): UnifiedLogin => ({
  ...formLogin(pages),
  isLoginPage: pages.isLoginPage,
});
