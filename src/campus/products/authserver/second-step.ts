import { type Static, Type } from '@sinclair/typebox';
import { failures } from '../../../domain/errors.ts';
import { literals } from '../../../domain/record.ts';
import { casPage, withTicket } from '../../contract/form-login.ts';
import {
  isRedirect,
  type NeedsPerson,
  needsPerson,
  needsPersonElsewhere,
  type SignInAnswer,
  type SignInCall,
} from '../../contract/sign-in.ts';
import * as signIn from '../../contract/sign-in-failures.ts';
import { signInOutcomeOf } from '../../contract/told.ts';
import type { HttpAnswer } from '../../transport/http.ts';
import { parseChecked, parseRefusal, parseSecondStep, parseSent, parseSwitched } from './second-step-pages.ts';

const { signInFailed, signInUnanswered, signInUnread, signInUnstable, mayHaveArrived } = signIn;

/** The login has accepted the password, and waits for a code. `page`: its address, which the scripts name. */
export const CodeHalf = Type.Object({
  kind: literals(['sms', 'totp']),
  service: Type.String(),
  reAuthType: Type.String(),
  isMultifactor: Type.String(),
  user: Type.String(),
  page: Type.String(),
});
type CodeHalf = Static<typeof CodeHalf>;

const sms = { kind: 'sms', targets: [], sent: 'unknown', stillValid: false, resendAfter: 0 } as const;

const codeNeeded = (half: CodeHalf, last: NeedsPerson['last'] = 'none'): NeedsPerson =>
  needsPerson(half.kind === 'sms' ? sms : { kind: 'totp' }, half, 'accepted', last);

export const asScript = (page: string) => ({ 'X-Requested-With': 'XMLHttpRequest', Referer: page });

const post = (call: SignInCall, path: string, { page }: CodeHalf, fields: Readonly<Record<string, string>>) =>
  call.ask({ method: 'POST', path, form: Object.entries(fields), headers: asScript(page) });

const isGone = ({ status }: HttpAnswer): boolean => status === 401 || isRedirect(status);
const failGone = ({ step }: SignInCall): signIn.Failed =>
  signIn.fail(failures.challengeUnknown('half session gone', { step, passwords: 'accepted' }));

/** `target`: where the answer to the password leads; one request, and one more where another step has to be chosen. */
export const meetSecondStep = async (
  call: SignInCall,
  target: URL,
  service: string,
): Promise<NeedsPerson | signIn.Failed> => {
  const answer = await call.ask({ method: 'GET', path: target });
  if (answer.kind === 'no-answer') return signInUnanswered(call.step, answer);
  if (answer.status >= 500) return signInFailed(call.step, `status ${answer.status}`);
  const found = answer.status === 200 ? parseSecondStep(answer.text) : null;
  call.saw('second-step', found !== null);
  if (found === null) return needsPersonElsewhere('unknown', 'accepted');
  const named = [found.service, target.searchParams.get('service') ?? ''];
  if (named.some((each) => each !== '' && each !== service))
    return signInFailed(call.step, 'second step of another service');
  const { step: kind, type: reAuthType, isMultifactor, user } = found;
  if (kind !== 'sms' && kind !== 'totp') return needsPersonElsewhere(kind, 'accepted');
  const half = { kind, service, reAuthType, isMultifactor, user: user || call.userid, page: target.href };
  if (found.isActive) return codeNeeded(half);
  const chosen = await post(call, '/reAuthCheck/changeReAuthType.do', half, { isMultifactor, reAuthType, service });
  if (chosen.kind === 'no-answer') return signInUnanswered(call.step, chosen);
  return chosen.status === 200 && parseSwitched(chosen.text)
    ? codeNeeded(half)
    : needsPersonElsewhere('unknown', 'accepted');
};

export const sendCode = async (call: SignInCall, half: CodeHalf): Promise<NeedsPerson | signIn.Failed> => {
  if (half.kind === 'totp') return codeNeeded(half);
  const fields = { userName: half.user, authCodeTypeName: 'reAuthDynamicCodeType' };
  const answer = await post(call, '/dynamicCode/getDynamicCodeByReauth.do', half, fields);
  if (answer.kind === 'no-answer' && !mayHaveArrived(answer)) return signInUnanswered(call.step, answer);
  if (answer.kind === 'answer' && isGone(answer)) return failGone(call);
  if (answer.kind === 'answer' && answer.status >= 500) return signInFailed(call.step, `status ${answer.status}`);
  // An answer that is lost may have sent a code.
  const { isRefused, ...sent } = parseSent(answer.kind === 'answer' ? answer.text : '');
  return needsPerson({ ...sms, ...sent }, half, 'accepted', isRefused ? 'send-refused' : 'none');
};

/** The code was right: the login hands out the ticket, as long as it does not ask again. */
const afterCode = async (call: SignInCall, service: string): Promise<SignInAnswer> => {
  const path = casPage(service, false);
  const answer = await call.ask({ method: 'GET', path });
  if (answer.kind === 'no-answer') return signInUnanswered(call.step, answer);
  const target = isRedirect(answer.status) ? call.leadsBack(answer.location, path) : null;
  if (target?.pathname.includes('/improveInfo/')) return needsPersonElsewhere('unknown', 'accepted');
  return withTicket(answer) ?? (answer.status >= 500 ? signInUnread : signInUnstable)(call.step);
};

export const checkCode = async (call: SignInCall, half: CodeHalf, code: string): Promise<SignInAnswer> => {
  const { kind, service, reAuthType, isMultifactor } = half;
  const answer = await post(call, '/reAuthCheck/reAuthSubmit.do', half, {
    service,
    reAuthType,
    isMultifactor,
    password: '',
    dynamicCode: kind === 'sms' ? code : '',
    uuid: '',
    answer1: '',
    answer2: '',
    otpCode: kind === 'totp' ? code : '',
    skipTmpReAuth: 'true',
  });
  if (answer.kind === 'no-answer') {
    const isLost = mayHaveArrived(answer);
    return isLost ? signInUnread(call.step) : signIn.withPasswords(signInUnanswered(call.step, answer), 'unsent');
  }
  const checked = isGone(answer) ? 'gone' : parseChecked(answer.text);
  call.saw('code', checked !== 'unknown');
  if (checked === 'passed') return afterCode(call, service);
  if (checked === 'gone') return failGone(call);
  if (checked === 'unknown') return signInUnread(call.step);
  const { meaning, words } = parseRefusal(answer.text);
  const told = signInOutcomeOf(call.step, meaning, words);
  return told !== null && told !== 'image' && told.kind === 'failed'
    ? signIn.withWords(told, words)
    : codeNeeded(half, checked);
};
