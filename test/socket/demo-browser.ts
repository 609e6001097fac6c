import { constants, createCipheriv, createPublicKey, publicEncrypt } from 'node:crypto';
import { request } from 'node:http';
import type { DemoWiring } from '../../src/demo/types.ts';

/** A client of the demo campus written for its tests alone: own crypto, one cookie jar per origin, no redirects. */

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** `Location`, or the empty string. */
  readonly location: string;
  readonly cookies: readonly string[];
}

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export const ask = (url: string, { method, headers = {}, form, body, signal }: Ask = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const payload = form ? new URLSearchParams(form).toString() : body;
    const outgoing = request(
      url,
      {
        method: method ?? (payload === undefined ? 'GET' : 'POST'),
        agent: false,
        headers: { ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}), ...headers },
        ...(signal ? { signal } : {}),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            bytes,
            text: bytes.toString('utf8'),
            location: incoming.headers.location ?? '',
            cookies: incoming.headers['set-cookie'] ?? [],
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });

export const element = (xml: string, name: string): string =>
  new RegExp(`<${name}>(.*?)</${name}>`).exec(xml)?.[1] ?? '';

export const field = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

export const rsaHex = (modulusHex: string, exponent: string, message: string): string => {
  const e = BigInt(exponent).toString(16);
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'RSA',
      n: Buffer.from(modulusHex, 'hex').toString('base64url'),
      e: Buffer.from(e.length % 2 ? `0${e}` : e, 'hex').toString('base64url'),
    },
  });
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(message, 'utf8')).toString('hex');
};

export const desBase64 = (lt: string, password: string): string => {
  const key = Buffer.concat([Buffer.from(lt, 'utf8'), Buffer.alloc(8)]).subarray(0, 8);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null);
  return cipher.update(password, 'utf8', 'base64') + cipher.final('base64');
};

export class Browser {
  readonly #wiring: DemoWiring;
  readonly #jars = new Map<string, Map<string, string>>();
  twfid = '';

  constructor(wiring: DemoWiring) {
    this.#wiring = wiring;
  }

  setCookie(url: string, name: string, value: string | null): void {
    const jar = this.#jarOf(url);
    if (value === null) jar.delete(name);
    else jar.set(name, value);
  }

  #jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    return jar;
  }

  async ask(url: string, options: Ask = {}): Promise<Answer> {
    const jar = this.#jarOf(url);
    const pairs = [...jar].map(([name, value]) => `${name}=${value}`);
    if (this.twfid) pairs.push(`TWFID=${this.twfid}`);
    const headers: Record<string, string> = { ...options.headers };
    if (pairs.length > 0) headers.Cookie ??= pairs.join('; ');
    const answer = await ask(url, { ...options, headers });
    for (const line of answer.cookies) {
      const pair = line.split(';')[0] ?? '';
      const name = pair.slice(0, pair.indexOf('='));
      if (name !== 'TWFID') jar.set(name, pair.slice(pair.indexOf('=') + 1));
    }
    return answer;
  }

  /** The challenge; its TWFID is used from here on. */
  async challenge(): Promise<string> {
    this.twfid = '';
    const { text } = await this.ask(`${this.#wiring.vpnUrl}/por/login_auth.csp?apiversion=1`);
    this.twfid = element(text, 'TwfID');
    return text;
  }

  credentials(challenge: string, name: string, password: string, change: Record<string, string> = {}): Promise<Answer> {
    const code = element(challenge, 'CSRF_RAND_CODE');
    const exponent = element(challenge, 'RSA_ENCRYPT_EXP') || '65537';
    return this.ask(`${this.#wiring.vpnUrl}/por/login_psw.csp?anti_replay=1&encrypt=1&type=cs`, {
      form: {
        svpn_rand_code: '',
        mitm: '',
        svpn_req_randcode: code,
        svpn_name: name,
        svpn_password: rsaHex(element(challenge, 'RSA_ENCRYPT_KEY'), exponent, code ? `${password}_${code}` : password),
        ...change,
      },
    });
  }

  async portal(name: string, password: string): Promise<Answer> {
    const answer = await this.credentials(await this.challenge(), name, password);
    this.twfid = element(answer.text, 'TwfID') || this.twfid;
    return answer;
  }

  loginUrl(service: string): string {
    return `${this.#wiring.casUrl}/login?service=${encodeURIComponent(service)}`;
  }

  loginForm(page: string, name: string, password: string): Record<string, string> {
    const lt = field(page, 'lt');
    return {
      username: name,
      password: desBase64(lt, password),
      lt,
      execution: field(page, 'execution'),
      _eventId: 'submit',
    };
  }

  async unifiedLogin(service: string, name: string, password: string): Promise<Answer> {
    const page = await this.ask(this.loginUrl(service));
    // A live ticket-granting cookie needs no password.
    if (page.location) return page;
    return this.ask(this.loginUrl(service), { form: this.loginForm(page.text, name, password) });
  }

  /** Portal, unified login and the session of academic affairs: five requests. */
  async signIn(name = '2023000001', password = 'demo-password', vpnPassword = 'demo-vpn'): Promise<this> {
    await this.portal(name, vpnPassword);
    const { location } = await this.unifiedLogin(this.#wiring.jwcService, name, password);
    await this.ask(location);
    return this;
  }
}
