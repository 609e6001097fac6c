import { type DemoReply, HTML_TYPE, reply } from '../exchange.ts';
import { letters } from '../ids.ts';

export interface LoginPageParts {
  readonly generation: 'new' | 'old';
  readonly execution: string;
  /** Of the form for phones, which comes first and takes no password. */
  readonly trap: string;
  /** Null: passwords are sent as they are. */
  readonly salt: string | null;
  readonly lt: string;
  readonly tip: string;
  readonly slides: boolean;
}

const hiddenInput = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${value}"/>`;

const newForm = ({ execution, trap, salt, lt, tip }: LoginPageParts): string => `
<form id="qrLoginForm" method="post">${hiddenInput('uuid', letters(8))}${hiddenInput('execution', trap)}</form>
<form id="pwdFromId" method="post"><input type="text" name="username" id="username"/>
<input type="password" name="passwordText" id="password"/>${hiddenInput('password', '')}
${hiddenInput('_eventId', 'submit')}${hiddenInput('cllt', 'userNameLogin')}${hiddenInput('dllt', 'generalLogin')}${hiddenInput('lt', lt)}
${salt === null ? '' : `<input type="hidden" id="pwdEncryptSalt" value="${salt}" />`}
<input type="hidden" name="execution" id="execution" value="${execution}"/>
<span id="showErrorTip"${tip === '' ? ' style="display:none"' : ''}>${tip === '' ? '' : `<span>${tip}</span>`}</span></form>`;

const oldForm = ({ execution, salt, lt, tip }: LoginPageParts): string => `
<form id="casLoginForm" method="post">${tip === '' ? '' : `<span id="msg" class="auth_error">${tip}</span>`}
<input type="text" name="username" id="username"/><input type="password" name="password" id="password"/>
<input type="checkbox" name="rememberMe"/>${hiddenInput('lt', lt)}${hiddenInput('dllt', 'userNamePasswordLogin')}
${hiddenInput('execution', execution)}${hiddenInput('_eventId', 'submit')}${hiddenInput('rmShown', '1')}</form>
${salt === null ? '' : `<script>var pwdDefaultEncryptSalt = "${salt}";</script>`}`;

export const loginPage = (status: number, parts: LoginPageParts): DemoReply =>
  reply(
    status,
    HTML_TYPE,
    `<!DOCTYPE html><html><head><meta charset="UTF-8"><title>统一身份认证</title></head><body>
${parts.generation === 'new' ? newForm(parts) : oldForm(parts)}
${parts.slides ? '<script>var url="common/openSliderCaptcha.htl"</script>' : ''}
</body></html>`,
  );

const names: Readonly<Record<string, string>> = { '3': '短信验证码', '10': '安全令牌OTP' };

/** Its scripts have a second block of the same name, and the steps that are not shown first are named by their ids. */
export const secondStepPage = (userid: string, service: string, types: readonly string[]): DemoReply => {
  const [active = '', ...more] = types;
  const parameters = {
    isSleepAccount: '0',
    service,
    reAuthType: active,
    isMultifactor: 'true',
    reAuthUserId: userid,
    pwdEncryptSalt: letters(16),
  };
  const tabs = more.map(
    (type) => `<div class="reauth-tab-more-item" id="${type}" data-name="${names[type] ?? ''}"></div>`,
  );
  return reply(
    200,
    HTML_TYPE,
    `<!DOCTYPE html><html><head><meta charset="UTF-8"><title>二次认证</title></head><body>
<script>var reAuthParams = {color:"#FF7D00>"};</script><script>var reAuthParams = ${JSON.stringify(parameters)};</script>
<div class="reauth-tab-item reauth-tab-active" data-type="${active}" data-name="${names[active] ?? ''}"></div>
${tabs.join('')}</body></html>`,
  );
};
