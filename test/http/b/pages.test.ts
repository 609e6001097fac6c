import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../../src/composition/app.ts';
import { appUnderTest, testConfig } from '../../support/app.ts';
import { fakeServices } from '../../support/fake-services.ts';

const ask = async (url: string, language?: string) => {
  const { app } = await appUnderTest();
  return app.inject({ url, headers: language === undefined ? {} : { 'accept-language': language } });
};

describe('the home page', () => {
  it.each([
    [undefined, '/docs'],
    ['en-GB,en;q=0.9', '/docs'],
    ['zh-CN,zh;q=0.9,en;q=0.8', '/docs/zh'],
    ['en,zh;q=0.5', '/docs'],
  ])('leads readers of %s to %s', async (language, place) => {
    const { statusCode, headers } = await ask('/', language);
    expect([statusCode, headers.location, headers.vary]).toEqual([307, place, 'Accept-Language']);
  });

  it('leads every reader to the documentation that the operator named', async () => {
    for (const docs of [{ url: 'https://docs.example.edu/' }, { enabled: false, url: '/docs' }]) {
      const { app } = await appUnderTest({}, {}, docs);
      expect((await app.inject({ url: '/', headers: { 'accept-language': 'zh' } })).headers.location).toBe(docs.url);
    }
  });

  it('in Chinese links only to what is served', async () => {
    const { app } = await appUnderTest();
    const page = await app.inject('/docs/zh');
    expect(page.body).toContain('<html lang="zh">');
    const links = [...page.body.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url);
    expect(links.length).toBeGreaterThan(3);
    for (const url of links) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200]);
  });
});

describe('the privacy page', () => {
  it('is in the language of the reader, or in the one of its address', async () => {
    const languageOf = async (url: string, language?: string) =>
      /lang="(\w+)"/.exec((await ask(url, language)).body)?.[1];
    expect(await languageOf('/privacy')).toBe('en');
    expect(await languageOf('/privacy', 'zh-CN')).toBe('zh');
    expect(await languageOf('/privacy?lang=en', 'zh-CN')).toBe('en');
    expect(await languageOf('/privacy?lang=zh', 'en')).toBe('zh');
    expect(await languageOf('/privacy?lang=fr', 'en')).toBe('en');
    expect((await ask('/privacy')).headers.vary).toContain('Accept-Language');
  });

  it('says how long things are kept with the settings of this service', async () => {
    const days = (count: number) => count * 86_400_000;
    const told = async (copyMaxMs: number) => {
      const accounts = { tokenTtlMs: days(7), tokenMaxMs: days(90) };
      const app = await buildApp({ ...testConfig, accounts, reads: { copyMaxMs } }, fakeServices());
      const bodies = await Promise.all(['en', 'zh'].map((language) => app.inject(`/privacy?lang=${language}`)));
      await app.close();
      return bodies.map(({ body }) => body);
    };
    const [english, chinese] = await told(days(11));
    expect(english).toContain('for at most 11 days');
    expect(english).toContain('ends 7 days after its last use, and 90 days after it was made');
    expect(chinese).toMatch(/最多 11 天.*连续 7 天不用，或登录后最多 90 天/s);
    const [nothing, none] = await told(0);
    expect(nothing).toContain('Nothing of what is read at the campus for you');
    expect(none).toContain('不保存');
  });

  it('names the operator where one is set, in both languages, and so does security.txt', async () => {
    const appOf = async (contact: string | null) => {
      const operator = { name: contact === null ? null : 'Example & Sons', contact };
      return (await appUnderTest({}, { operator, publicUrl: 'https://campus.example.edu' })).app;
    };
    const mail = 'mailto:security@example.edu';
    const [named, unnamed] = [await appOf(mail), await appOf(null)];
    for (const language of ['en', 'zh']) {
      const { body } = await named.inject(`/privacy?lang=${language}`);
      expect(body).toContain('<a href="mailto:security@example.edu">security@example.edu</a>');
      expect(body).toMatch(/operator of this service, Example &#38; Sons, holds|运营者（Example &#38; Sons）持有/);
    }
    const { headers, body } = await named.inject('/.well-known/security.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const [contact, expires, ...rest] = body.split('\n');
    expect([contact, ...rest]).toEqual([
      `Contact: ${mail}`,
      'Preferred-Languages: en, zh',
      'Canonical: https://campus.example.edu/.well-known/security.txt',
      '',
    ]);
    const days = (Date.parse(expires?.replace('Expires: ', '') ?? '') - fakeServices().clock.now()) / 86_400_000;
    expect(days > 178 && days <= 180).toBe(true);
    expect((await unnamed.inject('/.well-known/security.txt')).statusCode).toBe(404);
    expect((await unnamed.inject('/privacy')).body).not.toContain('mailto:');
  });

  it('runs no script, and may be styled by its own style only', async () => {
    const { body, headers } = await ask('/privacy');
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
    for (const rule of ['default-src', 'form-action', 'frame-ancestors'])
      expect(headers['content-security-policy']).toContain(`${rule} 'none'`);
    expect(body).not.toContain('<script');
  });
});
