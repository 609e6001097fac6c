import { createHmac, randomInt } from 'node:crypto';
import type { PortalState } from '../campus-state.ts';
import { type DemoCall, type DemoReply, type DemoRoute, reply, withCookies } from '../exchange.ts';
import { newTwfid } from '../ids.ts';
import { forgetful } from '../sessions.ts';
import type { DemoSecondFactor, DemoSecondFactorForm } from '../types.ts';

const XML_TYPE = 'text/xml;charset=UTF-8';
export const xml = (body: string): DemoReply =>
  reply(200, XML_TYPE, `<?xml version="1.0" encoding="utf-8"?>\n${body}\n`);

/** `more` stands before the message. */
export const refusal = (code: number, message: string, more = ''): DemoReply =>
  xml(`<Auth><Result>0</Result><ErrorCode>${code}</ErrorCode>${more}<Message><![CDATA[${message}]]></Message></Auth>`);

export const twfidCookie = ({ wiring }: PortalState, twfid: string): string =>
  `TWFID=${twfid}; Path=/; Domain=${wiring.vpnDomain}; HttpOnly`;

export const sessionGone = xml(
  '<Auth><ErrorCode>20026</ErrorCode><Message><![CDATA[unexpected user service]]></Message></Auth>',
);
const noPhone = xml('<Auth><ErrorCode>20016</ErrorCode><Note><![CDATA[未绑定手机号码]]></Note></Auth>');
const tooOften = (seconds: number): DemoReply =>
  xml(
    `<Auth><ErrorCode>20045</ErrorCode><Note><![CDATA[短信发送过于频繁]]></Note><disableTime>${seconds}</disableTime></Auth>`,
  );

type Step = 'sms' | 'totp' | 'certificate' | 'unknown-service';

const stepsOf: Readonly<Record<DemoSecondFactor, readonly Step[]>> = {
  none: [],
  sms: ['sms'],
  'sms-two-phones': ['sms'],
  'sms-no-phone': ['sms'],
  totp: ['totp'],
  'sms-then-totp': ['sms', 'totp'],
  certificate: ['certificate'],
  'unknown-service': ['unknown-service'],
};

const phonesOf = (kind: DemoSecondFactor): readonly string[] => {
  if (kind === 'sms-no-phone') return [];
  return kind === 'sms-two-phones' ? ['138****0000', '15912341111'] : ['138****0000'];
};

const NAMES: Readonly<Record<Step, { number: string; service: string; more: string }>> = {
  sms: { number: '2', service: 'auth/sms', more: '' },
  totp: { number: '7', service: 'auth/token', more: '<NextServiceSubType>totp</NextServiceSubType>' },
  certificate: { number: '0', service: 'auth/cert', more: '' },
  'unknown-service': { number: '9', service: 'auth/other', more: '' },
};

/** The password was right, and the session is incomplete. */
export const secondStep = (kind: DemoSecondFactor, form: DemoSecondFactorForm): DemoReply => {
  const [step = 'sms'] = stepsOf[kind];
  const { number, service, more } = NAMES[step];
  const next = `<NextService><![CDATA[${service}]]></NextService>${more}`;
  switch (form) {
    case 'result-1':
      return xml(
        `<Auth><Result>1</Result><ErrorCode>1</ErrorCode><Message><![CDATA[password auth success]]></Message><CurAuth>1</CurAuth><NextAuth>${number}</NextAuth>${next}</Auth>`,
      );
    case 'error-code-only':
      return xml(`<Auth><ErrorCode>1</ErrorCode>${next}</Auth>`);
    case 'result-2':
      return xml(`<Auth><Result>2</Result>${next}<SmsIsStillValid>42</SmsIsStillValid></Auth>`);
    case 'number-only':
      return xml(`<Auth><Result>1</Result><ErrorCode>1</ErrorCode><NextAuth>${number}</NextAuth></Auth>`);
    case 'service-only':
      return xml(`<Auth><Result>1</Result>${next}</Auth>`);
  }
};

interface SentCode {
  readonly text: string;
  readonly at: number;
  /** Wrong ones since. */
  wrong: number;
}

interface HalfSession {
  readonly userid: string;
  readonly kind: DemoSecondFactor;
  left: readonly Step[];
  /** Set when `get_sms` chose one of several. */
  chosen: boolean;
}

const WRONG_ENDS = 5;
const HALF_MINUTE = 30_000;

const digits = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0');

/** The half sessions of the portal, and the messages that went out for them. */
export class SecondSteps {
  readonly #half = forgetful<HalfSession>();
  /** Codes belong to the student: that of one session opens another of his. */
  readonly #codes = forgetful<SentCode>();
  readonly #usedTotp = forgetful<string>();
  readonly #state: PortalState;

  constructor(state: PortalState) {
    this.#state = state;
  }

  begin(twfids: Iterable<string>, userid: string, kind: DemoSecondFactor, path: string): void {
    const half: HalfSession = { userid, kind, left: stepsOf[kind], chosen: false };
    for (const twfid of twfids) this.#half.set(twfid, half);
    const [phone] = phonesOf(kind);
    const isSent = this.#state.switches.smsSender === 'login_psw' && half.left[0] === 'sms';
    if (isSent && phone !== undefined) this.#send(half, phone, path);
    if (half.left[0] === 'totp') this.#showTotp(half);
  }

  readonly routes: readonly DemoRoute[] = [
    this.#route('/por/login_sms.csp', 'sms', (half, call) => this.#page(half, call)),
    this.#route('/por/post_sms.csp', 'sms', (half, call) => this.#resend(half, phonesOf(half.kind)[0], call.path)),
    this.#route('/por/get_sms.csp', 'sms', (half, call) => this.#choose(half, call)),
    // Each of the two checks only its own codes.
    this.#route('/por/login_sms1.csp', 'sms', (half, call) => (half.chosen ? sessionGone : this.#checkSms(half, call))),
    this.#route('/por/login_sms2.csp', 'sms', (half, call) => (half.chosen ? this.#checkSms(half, call) : sessionGone)),
    this.#route('/por/login_token.csp', 'totp', (half, call) => this.#checkTotp(half, call)),
  ];

  totp(userid: string): string {
    const window = Math.floor(this.#state.clock.now() / HALF_MINUTE);
    const mac = createHmac('sha1', `demo seed of ${userid}`).update(String(window)).digest();
    return String(mac.readUInt32BE(0) % 1_000_000).padStart(6, '0');
  }

  #route(path: string, step: Step, work: (half: HalfSession, call: DemoCall) => DemoReply): DemoRoute {
    return {
      method: 'POST',
      path,
      handle: (call) => {
        const half = this.#half.get(call.portalSession ?? '');
        return half?.left[0] === step ? work(half, call) : sessionGone;
      },
    };
  }

  #phone(text: string, phone: string, { userid }: HalfSession, path: string): void {
    const message = { at: this.#state.clock.now(), path, userid, phone, text };
    this.#state.messages.push(message);
    if (this.#state.messages.length > 1_000) this.#state.messages.shift();
    this.#state.onMessage?.(message);
  }

  #showTotp({ userid }: HalfSession): void {
    const text = this.totp(userid);
    this.#state.onMessage?.({ at: this.#state.clock.now(), path: '', userid, phone: 'authenticator', text });
  }

  /** Sends a code, unless the last one is too recent: then that one still holds. Seconds until the next may be sent. */
  #send(half: HalfSession, phone: string, path: string): number {
    const { clock, switches } = this.#state;
    const last = this.#codes.get(half.userid);
    const age = last ? (clock.now() - last.at) / 1000 : Number.POSITIVE_INFINITY;
    if (age < switches.smsCooldownSeconds) return Math.ceil(switches.smsCooldownSeconds - age);
    const code: SentCode = { text: digits(6), at: clock.now(), wrong: 0 };
    this.#codes.set(half.userid, code);
    this.#phone(code.text, phone, half, path);
    return switches.smsCooldownSeconds;
  }

  #stillValid(userid: string): string {
    const { clock, switches } = this.#state;
    const code = this.#codes.get(userid);
    const left = code ? Math.ceil(switches.smsCodeSeconds - (clock.now() - code.at) / 1000) : 0;
    if (left <= 0 || switches.smsStillValid === 'absent') return '';
    return `<SmsIsStillValid>${switches.smsStillValid === 'seconds' ? left : 1}</SmsIsStillValid>`;
  }

  #page(half: HalfSession, call: DemoCall): DemoReply {
    const { switches } = this.#state;
    const phones = phonesOf(half.kind);
    const [phone] = phones;
    if (phone === undefined) return xml('<Auth><ErrorCode>1</ErrorCode><USER_PHONE></USER_PHONE></Auth>');
    const before = this.#stillValid(half.userid);
    const sends = switches.smsSender === 'login_sms' && phones.length === 1;
    const seconds = sends ? this.#send(half, phone, call.path) : 0;
    return xml(
      `<Auth><ErrorCode>1</ErrorCode><USER_PHONE>${phones.join(';')}</USER_PHONE><SmsSendInterval>${seconds}</SmsSendInterval>${before}<IS_IN_PERIOD>0</IS_IN_PERIOD><T_SMSINFOR>验证码已发送到您的手机${phone}</T_SMSINFOR></Auth>`,
    );
  }

  #choose(half: HalfSession, call: DemoCall): DemoReply {
    const phone = phonesOf(half.kind)[Number(call.form.get('phone_index'))];
    if (phone === undefined || call.form.get('phone_number') !== phone) return noPhone;
    half.chosen = true;
    return this.#resend(half, phone, call.path);
  }

  #resend(half: HalfSession, phone: string | undefined, path: string): DemoReply {
    if (phone === undefined) return noPhone;
    const last = this.#codes.get(half.userid);
    const seconds = this.#send(half, phone, path);
    if (this.#codes.get(half.userid) === last) return tooOften(seconds);
    return xml(`<Auth><ErrorCode>1</ErrorCode><SmsSendInterval>${seconds}</SmsSendInterval></Auth>`);
  }

  #checkSms(half: HalfSession, call: DemoCall): DemoReply {
    const { clock, switches } = this.#state;
    const code = this.#codes.get(half.userid);
    const typed = call.form.get('svpn_inputsms') ?? '';
    if (code && clock.now() - code.at > switches.smsCodeSeconds * 1000) {
      return refusal(20013, '短信验证码已过期');
    }
    if (code?.text === typed) {
      this.#codes.delete(half.userid);
      return this.#pass(half, call, switches.smsSuccess);
    }
    if (code) code.wrong += 1;
    if ((code?.wrong ?? 0) >= WRONG_ENDS) this.#half.delete(call.portalSession ?? '');
    return refusal(20012, '短信验证码错误');
  }

  #checkTotp(half: HalfSession, call: DemoCall): DemoReply {
    const { totpSuccess } = this.#state.switches;
    const shown = this.totp(half.userid);
    const isRight = call.form.get('svpn_inputtoken') === shown && this.#usedTotp.get(half.userid) !== shown;
    if (!isRight) return refusal(20014, 'Totp auth not successful');
    this.#usedTotp.set(half.userid, shown);
    return this.#pass(half, call, totpSuccess);
  }

  /** One step is done: the next one is named, or the session is complete. */
  #pass(half: HalfSession, call: DemoCall, form: PortalState['switches']['smsSuccess']): DemoReply {
    const twfid = call.portalSession ?? '';
    const [done, next] = half.left;
    half.left = half.left.slice(1);
    if (next !== undefined) {
      if (next === 'totp') this.#showTotp(half);
      return secondStep(next, this.#state.switches.secondFactorForm);
    }
    this.#half.delete(twfid);
    const named = form === 'new TwfID' ? newTwfid() : twfid;
    for (const id of new Set([twfid, named])) this.#state.portal.open(id, half.userid);
    const said = done === 'totp' ? 'Totp auth succ' : 'Auth sms suc';
    const id = form === 'without TwfID' ? '' : `<TwfID>${named}</TwfID>`;
    switch (form) {
      case 'bare text':
        return xml(`<Auth>${done === 'totp' ? id : ''}${said}</Auth>`);
      case '20021':
        return xml(`<Auth><ErrorCode>20021</ErrorCode>${id}</Auth>`);
      default:
        return withCookies(
          xml(
            `<Auth><ErrorCode>1</ErrorCode><Result>1</Result><Message><![CDATA[${said}]]></Message>${id}<CurAuth>${done === 'totp' ? 7 : 2}</CurAuth><NextAuth>-1</NextAuth></Auth>`,
          ),
          [twfidCookie(this.#state, named)],
        );
    }
  }
}
