/** The only way to the service. An operation is named as its description names it: `GET /jwc/schedule/{term_code}/table`. */

const DAY = 86_400;
/** A copy of this age is shown, with its age, rather than a failure of the campus. */
const OLDEST = 30 * DAY;
const PATIENCE_MS = 60_000;

/** Addresses are relative to the page, so that a proxy may serve it all below any path. */
const root = new URL(document.documentElement.dataset.root, document.baseURI);

const held = { token: '', language: 'zh', onTime: () => {}, onLoggedOut: () => {} };

/** `onTime` is told the campus time of each answer, `onLoggedOut` that the token in use has ended. */
export const configureApi = (values) => Object.assign(held, values);

const addressOf = (path, params, query) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name]));
  const url = new URL(`.${filled}`, root);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
};

/**
 * Said with every read, as a word of our own: `cache: 'no-store'`, which keeps answers off the disk of a shared computer,
 * would otherwise say `no-cache`, and each view would ask the campus.
 */
const cacheControl = (isRefresh) => `${isRefresh ? 'max-age=0, ' : ''}stale-if-error=${OLDEST}`;

const headersOf = (method, { body, token = held.token, isRefresh = false }) => ({
  'Accept-Language': held.language,
  ...(method === 'GET' ? { 'Cache-Control': cacheControl(isRefresh) } : {}),
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...(token ? { Authorization: `Bearer ${token}` } : {}),
});

const send = async (operation, options) => {
  const { params = {}, query = {}, body, keepalive = false } = options;
  const [method, path] = operation.split(' ');
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
  try {
    return await fetch(addressOf(path, params, query), {
      method,
      keepalive,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: stop.signal,
      headers: headersOf(method, options),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } finally {
    clearTimeout(timer);
  }
};

const secondsIn = (headers, name) => Number(headers.get(name)) || 0;

/** Of a value that is older than usual: its age in seconds, and the code of the failure that it stands in for. */
const ageOf = (headers) => {
  const status = headers.get('Cache-Status') ?? '';
  const [, standsFor = ''] = /fwd=stale; detail=(\w+)/.exec(status) ?? [];
  return { standsFor, age: standsFor || status.includes('detail=revalidating') ? secondsIn(headers, 'Age') : 0 };
};

const failureOf = (answer, error, message) => ({
  code: error?.code || 'SERVER_ERROR',
  status: answer.status,
  message: message || '',
  details: error?.details || [],
  system: error?.system,
  reason: error?.reason,
  wait: secondsIn(answer.headers, 'Retry-After'),
});

/**
 * Answers `{data, message, age, standsFor, pollAfter}` or `{failure, data}`; never throws. `failure.code` is a code of the service, or
 * `LOST` where no answer came.
 */
export const call = async (operation, options = {}) => {
  const { token = held.token } = options;
  try {
    const answer = await send(operation, options);
    const { data, message, error, timestamp } = await answer.json();
    if (timestamp) held.onTime(timestamp);
    const { headers } = answer;
    if (!answer.ok) {
      const failure = failureOf(answer, error, message);
      if (answer.status === 401 && token && token === held.token) held.onLoggedOut(failure);
      return { failure, data };
    }
    return { data, message, ...ageOf(headers), pollAfter: secondsIn(headers, 'X-Poll-After') };
  } catch {
    return { failure: { code: 'LOST', status: 0, message: '', details: [], wait: 0 }, data: null };
  }
};

/** Everything that is stored of the student, as a file. */
export const exportAll = async () => {
  try {
    const answer = await send('GET /account/export', {});
    if (answer.ok) return { file: await answer.blob() };
    const { message, error } = await answer.json();
    return { failure: failureOf(answer, error, message) };
  } catch {
    return { failure: { code: 'LOST', status: 0, message: '', details: [], wait: 0 } };
  }
};
