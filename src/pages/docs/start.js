// Runs in the browser, after `page` (the settings of this service and the reader's language) and the bundle of the reference. Logs in for both surfaces, makes personal tokens, and fills token, term and freshness headers into what the
// reader tries.

const words = {
  en: {
    as: 'Log in as',
    wait: 'Logging in …',
    done: 'Every call carries the token of',
    again: 'Every call carries the token.',
    lost: 'The service cannot be reached.',
    making: 'Making the token …',
    choose: 'Choose at least one scope.',
    carries: 'Every call carries the personal token; what it may not do is refused.',
    groups: ['With a bearer header', 'Below /api/v1'],
  },
  zh: {
    as: '登录为',
    wait: '正在登录…',
    done: '已登录，调用都会带上令牌：',
    again: '调用都会带上令牌。',
    lost: '无法连接服务。',
    making: '正在创建令牌…',
    choose: '请至少选择一项权限。',
    carries: '调用都会带上这个个人令牌，权限之外的调用会被拒绝。',
    groups: ['带 Bearer 头的接口', '/api/v1 下的接口'],
  },
}[page.language];

const element = (id) => document.getElementById(id);
const methodsOf = (description) => Object.values(description.paths).flatMap((item) => Object.values(item));

/** The token that calls carry, and that of the login, which makes personal ones. A sandboxed page keeps nothing else. */
let token = '';
let login = '';
let term = '';
let reference = null;

const say = (text, isBad = false) => {
  element('told').textContent = text;
  element('told').className = isBad ? 'bad' : '';
};

const call = async (method, path, { body, bearer } = {}) => {
  const headers = { 'Accept-Language': page.language };
  if (body) headers['Content-Type'] = 'application/json';
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), redirect: 'error' });
  return answer.json();
};

/** Before a login: the term of today, as calendars of universities usually have it. */
const termOfToday = () => {
  const [year, month] = [new Date().getFullYear(), new Date().getMonth() + 1];
  const first = month >= 8 ? year : year - 1;
  return `${first}-${first + 1}-${month >= 2 && month < 8 ? 2 : 1}-1`;
};

const currentTerm = async () => {
  const { data } = await call('GET', '/jwc/term/all', { bearer: login });
  return data?.find((each) => each.is_current)?.term_code ?? termOfToday();
};

/** Shown as fields, sent only when the reader ticks them. */
const offered = { 'Cache-Control': 'stale-if-error=86400', 'X-Copy': 'only' };

const withValues = (value) => {
  if (Array.isArray(value)) return value.map(withValues);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (name === 'token' && typeof each === 'string' && token) return [name, token];
      if (name === 'term_id' || name === 'plan_code') return [name, term];
      if (page.demo && typeof each === 'string' && Object.hasOwn(page.demo.students[0], name)) {
        return [name, page.demo.students[0][name]];
      }
      if (page.demo && name === 'invite_code') return [name, page.demo.invite];
      return [name, withValues(each)];
    }),
  );
};

const prepared = (description) => {
  for (const operation of methodsOf(description)) {
    for (const parameter of operation.parameters ?? []) if (parameter.name === 'term_code') parameter.example = term;
    for (const media of Object.values(operation.requestBody?.content ?? {})) {
      for (const example of Object.values(media.examples ?? {})) example.value = withValues(example.value);
    }
  }
  for (const parameter of Object.values(description.components.parameters)) {
    const value = offered[parameter.name];
    if (value) parameter.examples = { default: { value, 'x-disabled': true } };
  }
  const names = description.tags.map(({ name }) => name);
  const isV1 = (name) => name.startsWith('v1 ');
  description['x-tagGroups'] = [
    { name: words.groups[0], tags: names.filter((name) => !isV1(name)) },
    { name: words.groups[1], tags: names.filter(isV1) },
  ];
  return description;
};

const show = async () => {
  const shown = token;
  term = token ? await currentTerm().catch(termOfToday) : termOfToday();
  const content = prepared(await call('GET', `/openapi.json?lang=${page.language}`));
  // Another token has come in the meantime, and shows it.
  if (shown !== token) return;
  reference?.destroy();
  reference = Scalar.createApiReference('#app', {
    ...page.settings,
    content,
    localization: { locale: page.language },
    authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token } } },
    onResponseReceived: heard,
  });
};

/** Another token draws the reference again: everything on it was made with the one before. */
const use = (next, { of = next, made = '', userid = '' } = {}) => {
  token = next;
  login = of;
  element('personal').hidden = !login;
  element('make').reset();
  offerScopes();
  element('secret').textContent = made;
  element('made').hidden = !made;
  element('forget').hidden = !token;
  element('take').hidden = true;
  // What a reader who is logged in came for is below.
  element('who').open = !token;
  if (token !== login) say(words.carries);
  else if (token) say(userid ? `${words.done} ${userid}` : words.again);
  else say('');
  // A fragment in the address would scroll away from the bar that the reader looks at.
  history.replaceState(null, '', location.pathname + location.search);
  scrollTo(0, 0);
  show().catch(() => say(words.lost, true));
};

/** A login or registration that was tried on the page itself: its token is offered for all other calls. */
const heard = async ({ response }) => {
  if (!response.ok || !/\/(?:login|register)(?:\/next)?$/.test(new URL(response.url).pathname)) return;
  const { data } = await response.clone().json();
  const given = data?.token ?? data?.authme_token;
  if (!given || given === token) return;
  element('take').hidden = false;
  element('take').onclick = () => use(given);
};

/** The demo campus knows its students, but each service registers them when they first come. */
const registered = async (pair) => {
  const { data } = await call('POST', '/auth/register/invite', { body: { invite_code: page.demo.invite } });
  return call('POST', '/auth/register/next', { body: { ...pair, ...data } });
};

const logIn = async (event) => {
  event.preventDefault();
  const pair = Object.fromEntries(new FormData(element('login')));
  say(words.wait);
  try {
    let answer = await call('POST', '/auth/login/next', { body: pair, bearer: login });
    if (page.demo && answer.error?.code === 'CREDENTIALS_INVALID') answer = await registered(pair);
    if (!answer.success) return say(answer.message, true);
    use(answer.data.token, { userid: pair.userid });
  } catch {
    say(words.lost, true);
  }
};

const makeToken = async (event) => {
  event.preventDefault();
  const scopes = [...document.querySelectorAll('[name=scope]:checked')].map(({ value }) => value);
  if (scopes.length === 0) return say(words.choose, true);
  const [name, days] = [element('name').value, Number(element('days').value)];
  say(words.making);
  // Twice would be two of them, and one that no one has seen.
  event.submitter.disabled = true;
  try {
    const body = { name, scopes, copies_only: element('copies').checked, days };
    const answer = await call('POST', '/auth/tokens', { body, bearer: login });
    if (!answer.success) return say(answer.message, true);
    use(answer.data.token, { of: login, made: answer.data.token });
  } catch {
    say(words.lost, true);
  } finally {
    event.submitter.disabled = false;
  }
};

/** A token for copies writes nothing. */
const offerScopes = () => {
  const { checked } = element('copies');
  for (const box of document.querySelectorAll('[data-writes]')) {
    box.disabled = checked;
    box.checked &&= !checked;
  }
};

element('make').addEventListener('submit', makeToken);
element('copies').addEventListener('change', offerScopes);
element('login').addEventListener('submit', logIn);
for (const student of page.demo?.students ?? []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = `${words.as} ${student.userid}`;
  button.addEventListener('click', () => {
    for (const [name, value] of Object.entries(student)) element(name).value = value;
    element('login').requestSubmit();
  });
  element('students').append(' ', button);
}
element('forget').addEventListener('click', () => use(''));
show().catch(() => say(words.lost, true));
