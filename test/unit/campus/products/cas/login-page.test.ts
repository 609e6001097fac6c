import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readAfterPassword } from '../../../../../src/campus/contract/form-login.ts';
import { encrypted, plainPages } from '../../../../../src/campus/products/cas/index.ts';

describe('login page', () => {
  it.each([
    '<input type="hidden" name="lt" value="LT-1" /><input type="hidden" name="execution" value="e1s1" />',
    '<input value=\'LT-1\' name=\'lt\'><INPUT name="execution" id="x" value="e1s1">',
  ])('is read in any order of attributes', (text) => {
    expect(encrypted.readForm(text)).toEqual({ kind: 'login-page', lt: 'LT-1', execution: 'e1s1', captcha: null });
  });

  it.each([
    '<input name="lt" value="LT-1">',
    '<input name="execution" value="e">',
    '<input name="lt" value=""><input name="execution" value="e">',
  ])('without both fields is none: %s', (text) => {
    expect(encrypted.readForm(text)).toBeNull();
  });

  it('that shows an image says into which field its characters go', () => {
    const fields = '<input name="lt" value="LT-1"><input name="execution" value="e1"><input name="username">';
    const captcha = (text: string) => encrypted.readForm(`${fields}${text}`)?.captcha;
    expect(
      captcha('<img id="captchaImg" src="captcha.jpg?1&amp;2"><input type="text" name="captchaResponse">'),
    ).toEqual({
      field: 'captchaResponse',
      image: 'captcha.jpg?1&2',
    });
    expect(captcha('<img src="/authcode"><input name="other" id="yzm">')?.field).toBe('other');
    expect([captcha('<img src="logo.png"><input name="captcha">'), captcha('<img src="captcha.jpg">')]).toEqual([
      null,
      null,
    ]);
  });

  it('with several forms gives all fields of the form that holds the password', () => {
    const page = readFileSync('test/fixtures/field/f14-cas-two-forms.html', 'utf8');
    const read = { kind: 'login-page', lt: 'LT-desktop', execution: 'desktop-execution', captcha: null };
    expect(encrypted.readForm(page)).toEqual(read);
    expect(plainPages.readForm(page)).toEqual(read);
    const phone =
      '<form style="display:none"><input name="lt" value="LT-p"><input name="captcha"><img src="captcha.jpg"></form>';
    const own =
      '<form><input name="username"><input type="password" name="password"><input name="execution" value="e1"></form>';
    for (const text of [phone + own, own + phone]) {
      // The ticket of another form is none of this one.
      expect(encrypted.readForm(text)).toBeNull();
      expect(plainPages.readForm(text)).toEqual({ kind: 'login-page', lt: '', execution: 'e1', captcha: null });
    }
    const registering =
      '<form><input name="username"><input type="password" name="newPassword"><input type="password" name="confirmPassword"><input name="execution" value="x"></form>';
    expect(plainPages.readForm(registering + own)?.execution).toBe('e1');
  });
});

describe('what a login page does not show', () => {
  const form = (inner: string, more = '') =>
    `<form ${more}><input name="username"><input type="password" name="password">${inner}</form>`;
  const ticket = (name: string) =>
    `<input type="hidden" name="lt" value="LT-${name}"><input type="hidden" name="execution" value="e-${name}">`;

  it.each([
    form(ticket('hidden'), 'style="display: none"') + form(ticket('shown')),
    `<div class="d-none"><div>${form(ticket('hidden'))}</div></div>${form(ticket('shown'))}`,
    form(`<input type="hidden" name="execution" value="spent" disabled>${ticket('shown')}`),
  ])('goes behind what it shows: %s', (page) => {
    expect(encrypted.readForm(page)).toMatchObject({ lt: 'LT-shown', execution: 'e-shown' });
  });

  it('is taken where nothing else is there', () => {
    expect(plainPages.readForm(form(ticket('a'), 'hidden'))).toMatchObject({ execution: 'e-a' });
  });

  it('wants no image, unless its form as a whole waits to be shown', () => {
    const image = '<input name="captcha"><img src="captcha.jpg">';
    expect(plainPages.readForm(form(`${ticket('a')}<p style="display:none">${image}</p>`))?.captcha).toBeNull();
    expect(plainPages.readForm(form(ticket('a') + image))?.captcha).not.toBeNull();
    expect(plainPages.readForm(form(ticket('a') + image, 'style="display:none"'))?.captcha).not.toBeNull();
  });
});

describe('a page that demands a new password', () => {
  const execution = '<input type="hidden" name="execution" value="e1s2"><input type="hidden" name="lt" value="LT-3">';
  it.each([
    '<input type="password" name="oldPassword"><input type="password" name="newPassword"><input type="password" name="newPassword2">',
    '<input type="password" name="password"><input type="password" name="confirmedPassword">',
    '<input type="password" name="newPwd">',
    '<input type="hidden" name="username" value="1"><input type="password" name="password"><input type="password" name="confirmPassword">',
  ])('takes no password, and is a step only in answer to one: %s', (fields) => {
    const page = `<form>${fields}${execution}</form>`;
    for (const login of [encrypted, plainPages]) {
      // Before a password a damaged login page looks the same.
      expect([login.readForm(page), login.stepIn(page)]).toEqual([null, null]);
      expect(readAfterPassword(page, login, [], 'unified-login')).toMatchObject({ asked: { hint: 'password-change' } });
    }
  });

  it.each([
    '<form><input name="username"><input type="password" name="password">',
    '<form><input name="username"><input type="password" name="passwordText"><input type="hidden" name="password">',
    '<form><input name="password">',
  ])('a login page is none: %s', (page) => {
    expect(plainPages.stepIn(page + execution)).toBeNull();
  });
});

it.each(['token', 'otp', 'smsCode', 'dynamicPassword'])(
  'a code that is typed unseen into %s is no new password',
  (name) => {
    const page = `<form><input type="hidden" name="username" value="1"><input type="password" name="${name}"><input type="hidden" name="execution" value="e2"></form>`;
    for (const login of [encrypted, plainPages])
      expect(readAfterPassword(page, login, [])).toMatchObject({ asked: { hint: 'unknown' }, password: 'accepted' });
  },
);

it('a slider beside an answer that says nothing leaves open what became of the password', () => {
  const page = '<form><input name="username"><input type="password" name="password"></form><p>向右滑动完成验证</p>';
  expect(readAfterPassword(page, plainPages)).toMatchObject({ asked: { hint: 'unknown' }, password: 'guarded' });
});

describe('a page that wants the password salted or encrypted', () => {
  it.each(['name="passwordText"', 'id="pwd"'])('has a script fill in a hidden field for it: %s', (typed) => {
    const page = `<form><input name="username"><input type="password" ${typed}><input type="hidden" name="password"><input name="execution" value="e1"></form>`;
    expect(plainPages.unknownCipher?.(page)).toBe('hidden password');
    expect(
      plainPages.unknownCipher?.(page.replace('type="hidden" name="password"', 'type="hidden" name="p"')),
    ).toBeNull();
  });

  const fields = '<input name="username"><input type="password" name="password"><input name="execution" value="e1">';
  it.each([
    ['<input type="hidden" id="pwdEncryptSalt" value="Qw3rTyKp8sDfGh2J">', 'pwdEncryptSalt', 'both'],
    ['<input type="hidden" id="pwdDefaultEncryptSalt" value="Qw3rTyKp8sDfGh2J">', 'pwdDefaultEncryptSalt', 'both'],
    ['<script>var pwdDefaultEncryptSalt = "Qw3rTyKp8sDfGh2J";</script>', 'pwddefaultencryptsalt', 'both'],
    ["<script>window.x={'pwdEncryptSalt':'Qw3rTyKp8sDfGh2J'}</script>", 'pwdencryptsalt', 'both'],
    ['<input type="hidden" name="encrypted" value="true">', 'encrypted', 'both'],
    ['<input type="hidden" name="rsa" value="">', 'rsa', 'both'],
    ['<input type="hidden" id="publicKeyModulus" value="ab12">', 'publicKeyModulus', 'both'],
    ['<p id="login-croypto">ASNFZ4mrze8=</p>', 'login-croypto', 'both'],
    ['<script src="/js/jsencrypt.min.js"></script>', 'jsencrypt', 'plain'],
    ['<script>var key = new RSAUtils.getKeyPair(e, "", m);</script>', 'RSAUtils', 'plain'],
    ['<script>p = strEnc(p, "1", "2", "3")</script>', 'strEnc', 'plain'],
    ['<script>encryptAES(p, s)</script>', 'encryptAES', 'plain'],
    ['<script src="/js/security.js"></script><script>RSAKeyPair("10001")</script>', 'RSAKey', 'plain'],
    ['<script src="/js/security.js"></script>', '/security.js', 'plain'],
    ['<script src="/js/des.js?v=2"></script>', '/des.js', 'plain'],
    ['<script src="/js/aes.min.js"></script>', '/aes.min.js', 'plain'],
    ['<script>$("#password").val(md5(p))</script>', 'md5(', 'plain'],
    ['<script>f.password.value = btoa(f.password.value)</script>', 'btoa(f.pass', 'plain'],
    ['<script>send(btoa(p))</script>', 'btoa(', 'plain'],
    ['<button onclick="return doEncrypt()">', 'doEncrypt', 'plain'],
    ['<script>let modulus = `ab12`;</script>', 'modulus', 'both'],
    ['<div data-public-key="ab12"></div>', 'data-public-key', 'both'],
    ['<meta name="public-key" content="ab12">', 'public-key', 'both'],
    ['<input type="hidden" name="ul"><input type="hidden" name="pl">', 'ul', 'both'],
    ['<span id="pwdEncryptSalt" style="display:none">Qw3rTyKp8sDfGh2J</span>', 'pwdEncryptSalt', 'both'],
    ['<textarea id="publicKey" hidden>MIGf</textarea>', 'publicKey', 'both'],
    ['<input type="hidden" disabled id="pwdEncryptSalt" value="Qw3r">', 'pwdEncryptSalt', 'both'],
    ['<input type="hidden" id="aesKey" value="0123456789abcdef">', 'aesKey', 'both'],
    ['<script>var secretKey = "0123456789abcdef";</script>', 'secretKey', 'both'],
    ['<input type="hidden" name="encoded" value="">', 'encoded', 'both'],
    ['<input type="hidden" name="pwdType" value="MD5">', 'pwdType', 'both'],
    ['<input type="hidden" name="passwordEncrypt" value="">', 'passwordEncrypt', 'both'],
    ['<p data-encrypt="true">', 'data-encrypt', 'both'],
    ['<p data-aes-key="0123456789abcdef">', 'data-aes-key', 'both'],
    ['<input type="password" name="password" data-key="0123456789abcdef">', 'data-key', 'both'],
    ['<form onsubmit="return login_rsa()">', '_rsa(', 'plain'],
    ['<form ng-submit="encryptAndSubmit()">', 'encryptAndSubmit', 'plain'],
    ['<form @submit.prevent="encryptLogin">', 'encryptLogin', 'plain'],
    ['<button onmousedown="md5(p)">', 'md5(', 'plain'],
    ['<script>$("#password").val(kmTrans($("#password").val()))</script>', 'kmTrans', 'plain'],
    ['<script>f.password.value = jm(f.password.value)</script>', 'jm', 'plain'],
    ['<script>p.value = enc(p.value)</script>', 'enc', 'plain'],
    ['<script>e = encodeInp(pwd)</script>', 'encodeInp', 'plain'],
    ['<script>$("#pwd").val(calcMD5(p))</script>', 'cMD5(', 'plain'],
    ['<script>send(hex_sha1(p))</script>', 'hex_sha', 'plain'],
    ['<script>p = DES3.encode(p)</script>', 'DES3.encode(', 'plain'],
    ['<script>$.get("/getPublicKey", login)</script>', 'getPublicKey', 'plain'],
    ['<script src="/js/rsa/BigInt.js"></script>', '/rsa/', 'plain'],
    ['<script>$("#password").val(await kmTrans(p)); login()</script>', 'kmTrans', 'plain'],
    ['<input type="password" name="password" onblur="this.value=jm(this.value)">', 'jm', 'plain'],
    ['<script src="/js/pwdEncode.js"></script>', '/pwdEncode.js', 'plain'],
  ])('%s is named by the plain driver', (mark, name, whom) => {
    const page = `<form>${fields}</form>${mark}`;
    expect(plainPages.unknownCipher?.(page)?.toLowerCase()).toBe(name.toLowerCase());
    if (whom === 'both') expect(encrypted.unknownCipher?.(page)).not.toBeNull();
    else expect(encrypted.unknownCipher?.(page)).toBeNull();
  });

  it.each([
    '<input type="hidden" name="encrypted" value="false">',
    '<!-- <script src="jsencrypt.js"></script><input id="pwdEncryptSalt" value="x"> -->',
    '<p>Your password is encrypted with a salt.</p>',
    '<script src="/js/jquery.js"></script><script>var errorMsg = "";</script>',
    '<script src="/js/modest.js"></script><script src="/js/description.js"></script>',
    '<div data-salted></div><a onclick="describe()">x</a><script>nodes(1)</script>',
    '<div data-universal-id="1" data-encrypt="false"></div><a href="/help/encryption">x</a><p id="universal"></p>',
    '<script>$("#password").val($.cookie("password")); $("#password").val("");</script>',
    '<script>$("#password").val($.trim($("#password").val())); f.password.value = getCookie("pwd");</script>',
    '<script>$.post(u, "password=" + encodeURIComponent(password)); checkPassword(password);</script>',
    '<script>username.value = fold(username.value); if (md5sum) slides(2); traverse(node)</script>',
    '<script src="/js/jquery.js" integrity="sha384-abc"></script><form onsubmit="return checkForm()">',
    '<script>password.value = p.replace(/ /g, ""); $("#password").val(typeof (kept) === "string" ? kept : "")</script>',
    '<script>captcha.value = upper(captcha.value); page.value = Math.ceil(page.value)</script>',
    '<input type="text" name="nick" onblur="this.value=halfWidth(this.value)">',
    '<script>scan("/qr?state=" + btoa(location.href)); $.post(u, "password=" + urlencode(password))</script>',
    '<input type="hidden" name="encode" value="UTF-8">',
    '<input type="password" name="password" data-i18n-key="login.password" data-placeholder-key="x">',
  ])('%s asks for nothing', (mark) => {
    expect(plainPages.unknownCipher?.(`<form>${fields}${mark}</form>`)).toBeNull();
  });

  it('reads a script of many names of keys in a moment', () => {
    const page = `<form>${fields}</form><script>${'pubkey'.repeat(60_000)}</script>`;
    const begun = performance.now();
    expect(plainPages.unknownCipher?.(page)).toBeNull();
    expect(performance.now() - begun).toBeLessThan(400);
  });
});
