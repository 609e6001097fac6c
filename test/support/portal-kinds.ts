import type { CampusWiring } from '../../src/campus/contract/manifest.ts';
import type { Portal } from '../../src/campus/contract/portal.ts';
import { beforeCredentials, fail, signInFailed, signInUnanswered } from '../../src/campus/contract/sign-in-failures.ts';
import { SslVpn } from '../../src/campus/products/ssl-vpn/index.ts';
import type { DemoPortal, PortalState } from '../../src/demo/campus-state.ts';
import { htmlPage, redirectTo } from '../../src/demo/exchange.ts';
import { newTwfid } from '../../src/demo/ids.ts';
import { failures } from '../../src/domain/errors.ts';

/**
 * A portal of another kind than the SSL VPN, as small as one can be: a login form with a hidden token, passwords as they
 * are typed, a session that arrives as an ordinary cookie, no mapping of hosts.
 */
const PATH = '/login';
const COOKIE = 'GATE';
const REFUSED = 'wrong name or password';

const STEP = 'portal' as const;

const createFormPortal = ({ vpnUrl }: { readonly vpnUrl: string }): Portal => ({
  sealedAs: 'gate',
  cookie: (session) => `${COOKIE}=${session}`,
  ownsCookie: (line) => line.startsWith(`${COOKIE}=`),
  isLoginRedirect: (_location, target) => target?.origin === vpnUrl,
  isLoginPage: (text) => text.includes('id="gate"'),
  longestPassword: () => 256,
  mapAddress: () => [],
  async signIn(call, credentials) {
    const page = await beforeCredentials(
      STEP,
      () => call.ask({ method: 'GET', path: PATH, session: null }),
      ({ text }) => {
        const token = /name="token" value="(\w+)"/.exec(text)?.[1];
        return token === undefined ? null : { kind: 'page' as const, token };
      },
      (isKnown) => call.saw('form', isKnown),
    );
    if (page.kind === 'failed') return page;
    const pair = await credentials();
    if ('kind' in pair) return pair;
    const form = [
      ['token', page.token],
      ['name', pair.userid],
      ['password', pair.password],
    ] as const;
    const answer = await call.ask({ method: 'POST', path: PATH, form, session: null });
    if (answer.kind === 'no-answer') return signInUnanswered(STEP, answer);
    if (answer.text.includes(REFUSED)) return fail(failures.credentialsRefused(STEP));
    const cookie = answer.setCookies.find((line) => line.startsWith(`${COOKIE}=`));
    const session = /=(\w+)/.exec(cookie ?? '')?.[1];
    return session === undefined ? signInFailed(STEP, 'unknown answer') : { kind: 'signed-in', session };
  },
});

const loginPage = (token: string, text = '') =>
  htmlPage(`<html><form id="gate" method="post"><p>${text}</p><input name="token" value="${token}"></form></html>`);

/** The same portal at the demo campus. */
const createDemoFormPortal = (state: PortalState): DemoPortal => {
  const tokens = new Set<string>();
  const page = (text?: string) => {
    const token = newTwfid();
    tokens.add(token);
    return loginPage(token, text);
  };
  return {
    cookie: COOKIE,
    login: { path: PATH, nameField: 'name' },
    answerExpired: (_call, style) => (style === 'page' ? page() : redirectTo(`${state.wiring.vpnUrl}${PATH}`)),
    expire: (userid) => state.portal.expire(userid),
    routes: [
      { method: 'GET', path: PATH, handle: () => page() },
      {
        method: 'POST',
        path: PATH,
        handle: ({ form }) => {
          if (!tokens.delete(form.get('token') ?? '')) return page();
          const student = state.students.get(form.get('name') ?? '');
          if (!student || student.vpnPassword !== form.get('password')) return page(REFUSED);
          const session = newTwfid();
          state.portal.open(session, student.userid);
          return redirectTo('/home', [`${COOKIE}=${session}; Path=/`]);
        },
      },
    ],
  };
};

/** A portal in two halves, ours and that of the demo campus, and what its login looks like on the wire. */
export interface PortalKind {
  readonly name: string;
  readonly cookie: string;
  /** Before the credentials. */
  readonly challenge: { readonly method: 'GET'; readonly path: string };
  readonly credentials: { readonly method: 'POST'; readonly path: string };
  readonly create: (wiring: CampusWiring) => Portal;
  /** Missing: the portal that the demo campus has by itself. */
  readonly createDemo?: (state: PortalState) => DemoPortal;
}

export const sslVpn: PortalKind = {
  name: 'SSL VPN',
  cookie: 'TWFID',
  challenge: { method: 'GET', path: '/por/login_auth.csp' },
  credentials: { method: 'POST', path: '/por/login_psw.csp' },
  create: ({ vpnUrl, vpnDomain }) => new SslVpn({ url: vpnUrl, domain: vpnDomain }),
};

const form: PortalKind = {
  name: 'login form',
  cookie: 'GATE',
  challenge: { method: 'GET', path: '/login' },
  credentials: { method: 'POST', path: '/login' },
  create: createFormPortal,
  createDemo: createDemoFormPortal,
};

/** The session suites run behind each of them: nothing but its own folder may depend on the kind of portal. */
export const portalKinds: readonly PortalKind[] = [sslVpn, form];

/** The two requests of a login, as `wire` shows them. */
export const loginOf = ({ challenge, credentials }: PortalKind): [string, string] => [
  `vpn ${challenge.method} ${challenge.path}`,
  `vpn ${credentials.method} ${credentials.path}`,
];
