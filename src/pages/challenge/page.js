// The page calls the operations of this service like any other client. It keeps nothing: neither passwords nor tokens.

const words = {
  zh: {
    other: 'English',
    loginTitle: '登录校园系统',
    loginIntro: '学校要求本人验证时，在这里用学校的密码登录，并完成验证。密码只发送给本服务，用来登录校园系统。',
    logIn: '登录',
    register: '注册',
    working: '正在询问校园系统，请稍候……',
    challengeTitle: '学校要求本人验证',
    captcha: '请输入图片中的字符。',
    sms: '请输入短信验证码。',
    totp: '请输入动态口令。',
    image: '学校的图形验证码',
    newImage: '换一张图片',
    send: '发送验证码',
    sendIn: (seconds) => `${seconds} 秒后可再次发送`,
    unknown: '验证码短信可能已经发出；没有收到时请点击发送。',
    choose: '请选择接收验证码的手机，然后点击发送。',
    perhaps: '验证码已发送，或上一条验证码仍然有效。',
    yes: '验证码已发送。',
    stillValid: '上一次收到的验证码仍然有效。',
    captchaLabel: '图片中的字符',
    smsLabel: '短信验证码',
    totpLabel: '动态口令',
    until: (time, left) => `请在 ${time}（学校时间）之前提交；还可以提交 ${left} 次。`,
    doneTitle: '验证完成',
    done: '请回到应用：已经登录的应用可以继续使用；否则请在现在的网络里用同样的密码登录，不需要再次验证。',
    doneRegister: '注册成功。请回到应用，在现在的网络里用同样的密码登录，不需要再次验证。',
    wrong: '输入不正确或已过期，请重新输入，或重新获取。',
    passedStep: '上一步已通过，还需要下面的验证。',
    malformed: '格式与验证码不符，没有提交。',
    missing: '请填写所有内容。',
    chooseTarget: '请选择接收验证码的手机。',
    over: '这次验证已经结束，请重新登录。',
    cancelled: '已取消，没有登录。',
    lost: '没有收到回答。请重新登录；如果已经通过，就不需要再次验证。',
    network: '无法连接到服务，请检查网络后再试。',
    wait: (seconds) => `请在 ${seconds} 秒后再试。`,
    failed: '没有成功，请稍后再试。',
    codes: {},
  },
  en: {
    other: '中文',
    loginTitle: 'Log in to the campus',
    loginIntro:
      'Where the campus asks whether it is you, log in here with your campus passwords and answer. They are sent to this service alone, which signs in at the campus with them.',
    logIn: 'Log in',
    register: 'Register',
    working: 'The campus is being asked. Please wait …',
    challengeTitle: 'The campus asks whether it is you',
    captcha: 'Type the characters in the image.',
    sms: 'Type the code from the text message.',
    totp: 'Type the code that your authenticator shows.',
    image: 'Captcha of the campus',
    newImage: 'Show another image',
    send: 'Send me a code',
    sendIn: (seconds) => `Again in ${seconds} s`,
    unknown: 'A message with a code may be on its way already. If none comes, ask for one.',
    choose: 'Choose a phone, then ask for a code.',
    perhaps: 'A code was sent, or the last one still holds.',
    yes: 'A code was sent.',
    stillValid: 'The code that you received last still holds.',
    captchaLabel: 'Characters in the image',
    smsLabel: 'Code from the text message',
    totpLabel: 'Code shown by your authenticator',
    until: (time, left) => `Submit it before ${time}, campus time. Answers left: ${left}.`,
    doneTitle: 'Done',
    done: 'Go back to your app. Where it is still logged in, it works again; otherwise log in there with the same passwords, in the network that you are in now. Nothing more will be asked.',
    doneRegister:
      'You are registered. Go back to your app and log in with the same passwords, in the network that you are in now. Nothing more will be asked.',
    wrong: 'That was not right, or too late. Try again, or ask for another one.',
    passedStep: 'That was right. The campus wants one more thing.',
    malformed: 'That does not look like such a code, and was not submitted.',
    missing: 'Please fill in all fields.',
    chooseTarget: 'Please choose a phone.',
    over: 'This sign-in is over. Please log in again.',
    cancelled: 'Cancelled. You are not logged in.',
    lost: 'No answer arrived. Please log in again; if it had worked, nothing more will be asked.',
    network: 'The service cannot be reached. Check your network and try again.',
    wait: (seconds) => `Try again in ${seconds} seconds.`,
    failed: 'That did not work. Please try again later.',
    codes: {
      REMOTE_CREDENTIALS_INVALID: 'The campus refuses one of the two passwords.',
      REGISTER_IN_COOLDOWN: 'Too many tries.',
      TOKEN_INVALID: 'The invite code is not valid any more.',
      CREDENTIALS_INVALID: 'This student id is not registered here.',
      EC_PASSWORD_ERROR: 'The VPN portal refuses this password.',
      UAAP_PASSWORD_ERROR: 'The unified login refuses this password.',
      INVITE_CODE_INVALID: 'The invite code is not valid.',
      USERID_EXISTS: 'This student id is registered already. Log in instead.',
      COOLDOWN: 'Too many tries.',
      CHALLENGE_BUSY: 'Another sign-in of yours is waiting for an answer.',
      PERSON_NEEDED: 'The campus wants something that cannot be done here. Sign in once at its own page, then here.',
    },
  },
};

const element = (id) => document.getElementById(id);
let language = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
/** The page shows `login`, `challenge` or `done`, with these words. A function gives them in any language. */
const page = { view: 'login', problem: null, status: null, challenge: null, registers: false, resendAt: 0 };

const say = (word) => (typeof word === 'function' ? word(words[language]) : (words[language][word] ?? ''));

const showTargets = ({ targets }) => {
  const chosen = document.querySelector('input[name=target]:checked')?.value;
  element('phones').hidden = targets.length < 2;
  element('targets').replaceChildren(
    ...targets.map(({ index, label }) => {
      const choice = document.createElement('label');
      const radio = Object.assign(document.createElement('input'), { type: 'radio', name: 'target', value: index });
      radio.checked = chosen === String(index);
      choice.className = 'choice';
      choice.append(radio, label);
      return choice;
    }),
  );
};

const showSend = () => {
  const { kind } = page.challenge;
  const seconds = Math.ceil((page.resendAt - Date.now()) / 1000);
  element('send').hidden = kind === 'totp';
  element('send').disabled = kind === 'sms' && seconds > 0;
  element('send').textContent =
    kind === 'captcha' ? say('newImage') : seconds > 0 ? words[language].sendIn(seconds) : say('send');
};

const imageTypes = { '/9j/': 'jpeg', R0lG: 'gif' };

const showChallenge = () => {
  const { challenge } = page;
  const { kind, image_png_base64: image, sent, still_valid: stillValid } = challenge;
  const about = kind === 'sms' ? [hasToChoose(challenge) ? 'choose' : sent, ...(stillValid ? ['stillValid'] : [])] : [];
  element('intro').textContent = [kind, ...about].map(say).join(language === 'zh' ? '' : ' ');
  element('image').hidden = image === null;
  element('image').alt = say('image');
  if (image !== null) element('image').src = `data:image/${imageTypes[image.slice(0, 4)] ?? 'png'};base64,${image}`;
  element('answerLabel').textContent = say(`${kind}Label`);
  element('answer').inputMode = kind === 'captcha' ? 'text' : 'numeric';
  element('answer').autocomplete = kind === 'captcha' ? 'off' : 'one-time-code';
  element('until').textContent = words[language].until(challenge.expires_at.slice(11), challenge.answers_left);
  showTargets(challenge);
  showSend();
};

const draw = () => {
  const { view, problem, status } = page;
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  for (const part of document.querySelectorAll('[data-en]')) {
    // The file itself is in Chinese.
    part.dataset.zh ??= part.textContent;
    part.textContent = part.dataset[language];
  }
  element('language').textContent = say('other');
  element('language').lang = language === 'zh' ? 'en' : 'zh-CN';
  element('title').textContent = say(`${view}Title`);
  document.title = `${problem === null ? '' : `${say(problem)} · `}${say(`${view}Title`)} · Campus Gateway`;
  element('login').hidden = view !== 'login';
  element('challenge').hidden = view !== 'challenge';
  element('invite').hidden = !page.registers;
  element('enter').textContent = say(page.registers ? 'register' : 'logIn');
  element('intro').textContent = view === 'done' ? say(page.registers ? 'doneRegister' : 'done') : say('loginIntro');
  if (view === 'challenge') showChallenge();
  element('problem').textContent = problem === null ? '' : say(problem);
  element('status').textContent = status === null ? '' : say(status);
};

/** The field that is wrong is named to those who listen, and has the focus. */
const show = (change, wrongField = null) => {
  const isOther = change.view !== undefined && change.view !== page.view;
  Object.assign(page, { problem: null, status: null }, change);
  draw();
  for (const field of document.querySelectorAll('input[aria-invalid]')) field.removeAttribute('aria-invalid');
  if (wrongField !== null) {
    wrongField.setAttribute('aria-invalid', 'true');
    wrongField.focus();
  } else if (isOther) {
    element('title').focus();
  }
};

/** An answer of the service; `code` is `OK`, one of its error codes, or `LOST`. */
const call = async (method, path, body, token) => {
  try {
    const answer = await fetch(path, {
      method,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const { data, message, error } = await answer.json();
    const seconds = Number(answer.headers.get('Retry-After') ?? 0);
    return { status: answer.status, code: answer.ok ? 'OK' : (error?.code ?? 'LOST'), data, message, seconds };
  } catch {
    return { status: 0, code: 'LOST', data: null, message: '', seconds: 0 };
  }
};

/** Words a failure: in Chinese with the words of the service, in English with ours. */
const toldOf = (answer) => (own) => {
  if (answer.code === 'LOST') return own.network;
  const text = (own === words.zh ? answer.message : own.codes[answer.code]) || own.failed;
  return answer.seconds > 0 ? `${text} ${own.wait(answer.seconds)}` : text;
};

/** Nothing has been sent where one of several phones has to be chosen first. */
const hasToChoose = ({ targets, sent }) => targets.length > 1 && sent !== 'yes';

const enterChallenge = (challenge, more = {}) => {
  element('answer').value = '';
  const resendAt = Date.now() + challenge.resend_after * 1000;
  show({ view: 'challenge', challenge, resendAt, ...more }, more.problem === undefined ? null : element('answer'));
  const first = hasToChoose(challenge) ? document.querySelector('input[name=target]') : element('answer');
  if (more.problem === undefined) first.focus();
};

/** The page stores nothing, so it ends the token that it was given, unless the session at the campus depends on that token. */
const finish = async (token) => {
  element('login').reset();
  show({ view: 'done', challenge: null });
  if (!token) return;
  const { data } = await call('GET', 'auth/sessions', undefined, token);
  if (data?.sessions?.length > 1) await call('POST', 'auth/logout', undefined, token);
};

const logIn = async () => {
  const { userid, password, vpn_password, invite_code } = element('login').elements;
  const fields = [
    userid,
    password,
    ...(element('vpn').hidden ? [] : [vpn_password]),
    ...(page.registers ? [invite_code] : []),
  ];
  const empty = fields.find(({ value }) => value.trim() === '');
  if (empty) return show({ problem: 'missing' }, empty);
  const pair = Object.fromEntries(
    fields.slice(0, page.registers ? -1 : undefined).map(({ name, value }) => [name, value]),
  );
  pair.userid = pair.userid.trim();
  let path = 'auth/login/next';
  if (page.registers) {
    const invite = await call('POST', 'auth/register/invite', { invite_code: invite_code.value.trim() });
    if (invite.code !== 'OK') return show({ problem: toldOf(invite) }, invite_code);
    pair.invite_token = invite.data.invite_token;
    path = 'auth/register/next';
  }
  const answer = await call('POST', path, pair);
  if (answer.code === 'OK') return finish(answer.data.token);
  if (answer.code === 'LOGIN_CHALLENGE') return enterChallenge(answer.data.challenge);
  const wrong = { EC_PASSWORD_ERROR: vpn_password, UAAP_PASSWORD_ERROR: password, CREDENTIALS_INVALID: userid };
  show({ problem: toldOf(answer) }, wrong[answer.code] ?? null);
};

const pathOf = (action) => `auth/challenges/${page.challenge.id}${action}`;

/** Of an answer that was lost: nothing is sent again before the challenge was looked at. */
const look = async () => {
  const { code, data } = await call('GET', pathOf(''));
  if (code === 'OK') return enterChallenge(data.challenge, { problem: 'network' });
  show({ view: 'login', challenge: null, problem: code === 'LOST' ? 'network' : 'lost' });
};

const answered = async () => {
  const typed = element('answer').value.normalize('NFKC').trim();
  if (typed === '') return show({ problem: 'missing' }, element('answer'));
  const { kind } = page.challenge;
  const answer = await call('POST', pathOf('/answer'), { answer: typed });
  if (answer.code === 'OK') return finish(answer.data.token);
  if (answer.code === 'LOGIN_CHALLENGE') {
    const { challenge } = answer.data;
    const isNext = challenge.kind !== kind || challenge.answers_left === page.challenge.answers_left;
    return enterChallenge(challenge, isNext ? { status: 'passedStep' } : { problem: 'wrong' });
  }
  if (answer.code === 'LOST') return look();
  if (answer.code === 'NOT_FOUND') return show({ view: 'login', challenge: null, problem: 'over' });
  if (answer.status === 422) return show({ problem: 'malformed' }, element('answer'));
  if (answer.status === 429 || answer.status === 409) return show({ problem: toldOf(answer) }, element('answer'));
  show({ view: 'login', challenge: null, problem: toldOf(answer) });
};

const sent = async () => {
  const { targets } = page.challenge;
  const chosen = document.querySelector('input[name=target]:checked');
  if (targets.length > 1 && chosen === null)
    return show({ problem: 'chooseTarget' }, document.querySelector('input[name=target]'));
  const answer = await call('POST', pathOf('/send'), targets.length > 1 ? { target: Number(chosen.value) } : {});
  if (answer.code === 'OK') {
    const { challenge } = answer.data;
    const isSent = challenge.kind === 'sms' && !hasToChoose(challenge);
    return enterChallenge(challenge, { status: isSent ? challenge.sent : null });
  }
  if (answer.code === 'NOT_FOUND') return show({ view: 'login', challenge: null, problem: 'over' });
  if (answer.code === 'LOST') return look();
  show({ problem: toldOf(answer) });
};

const givenUp = async () => {
  await call('DELETE', pathOf(''));
  show({ view: 'login', challenge: null, problem: 'cancelled' });
};

/** One thing at a time: what is pressed while the campus is asked does nothing. */
let isWorking = false;
const working = (work) => async (event) => {
  event.preventDefault();
  if (isWorking) return;
  isWorking = true;
  document.querySelector('main').setAttribute('aria-busy', 'true');
  show({ status: 'working' });
  try {
    await work();
  } finally {
    isWorking = false;
    document.querySelector('main').removeAttribute('aria-busy');
    if (page.status === 'working') show({ problem: page.problem });
  }
};

element('login').addEventListener('submit', working(logIn));
element('challenge').addEventListener('submit', working(answered));
element('send').addEventListener('click', working(sent));
element('giveUp').addEventListener('click', working(givenUp));
element('isNew').addEventListener('change', ({ target }) => {
  page.registers = target.checked;
  draw();
});
element('language').addEventListener('click', () => {
  language = language === 'zh' ? 'en' : 'zh';
  draw();
});
setInterval(() => page.view === 'challenge' && showSend(), 1_000);
draw();
// A campus without a portal has no password for one.
call('GET', 'campus').then(({ data }) => {
  element('vpn').hidden = data?.login?.fields?.every(({ name }) => name !== 'vpn_password') ?? false;
});
