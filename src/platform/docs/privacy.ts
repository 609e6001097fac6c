import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../lib/time.ts';
import { type Language, languageFor } from '../languages.ts';
import { limiting, type RequestLimits } from '../limits/limits.ts';
import { type Asset, sendAsset } from './assets.ts';
import { htmlOf } from './markdown.ts';
import type { Operator } from './openapi.ts';
import { filled, htmlDocument, pageFile, policyOf } from './pages.ts';

export interface PrivacyFacts {
  /** A token ends so long after its last use. */
  readonly tokenIdleDays: number;
  /** And so long after its login at the latest. */
  readonly tokenMostDays: number;
  /** 0: nothing that was read is kept. */
  readonly copyDays: number;
  readonly operator: Operator;
}

/** Text that Markdown shows as it is. */
const plain = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+.!|&~]/g, '\\$&');

/** Tells students what is stored, who can see it, and how it goes, as Markdown; docs/run/threat-model.md tells it to engineers. */
export const privacyText = (language: Language, { tokenIdleDays, tokenMostDays, copyDays, operator }: PrivacyFacts) => {
  const name = operator.name && plain(operator.name);
  const named = language === 'zh' ? `（${name}）` : `, ${name},`;
  return filled(pageFile(`privacy.${language}.md`), {
    idleDays: String(tokenIdleDays),
    mostDays: String(tokenMostDays),
    copyDays: copyDays === 0 ? null : String(copyDays),
    operator: name && named,
    contact: operator.contact,
    contactName: operator.contact && plain(operator.contact.replace('mailto:', '')),
  });
};

const DAY_MS = 86_400_000;

export const privacyFacts = (
  { tokenTtlMs, tokenMaxMs }: { readonly tokenTtlMs: number; readonly tokenMaxMs: number },
  { copyMaxMs }: { readonly copyMaxMs: number },
  operator: Operator,
): PrivacyFacts => ({
  tokenIdleDays: tokenTtlMs / DAY_MS,
  tokenMostDays: tokenMaxMs / DAY_MS,
  copyDays: copyMaxMs / DAY_MS,
  operator,
});

const style = pageFile('text.css');

/** `/privacy`, in the language of the address (`?lang=`) or of the reader. */
export const addPrivacy = (app: FastifyInstance, limits: RequestLimits, facts: PrivacyFacts): void => {
  const page = (language: Language, other: string): Asset => {
    const { title, body } = htmlOf(privacyText(language, facts), (target) => target);
    return htmlDocument(language, title, style, `<p>${other}</p>\n${body}`);
  };
  const pages: Readonly<Record<Language, Asset>> = {
    en: page('en', '<a href="/privacy?lang=zh">中文</a>'),
    zh: page('zh', '<a href="/privacy?lang=en">English</a>'),
  };
  const config = { contentPolicy: policyOf(style) };
  const options = { config, schema: { hide: true }, onRequest: limiting(limits, 'documents') };
  app.get('/privacy', options, async (request, reply) => {
    reply.vary('Accept-Language');
    return sendAsset(reply, pages[languageFor(request)], 0);
  });
};

/** RFC 9116 wants less than a year: what is read from an old copy should not be believed forever. */
const SECURITY_TXT_DAYS = 180;

/** `/.well-known/security.txt`: where to report a weakness. Without an operator who can be reached there is none: 404. */
export const addSecurityTxt = (
  app: FastifyInstance,
  limits: RequestLimits,
  { operator, publicUrl }: { readonly operator: Operator; readonly publicUrl: string | null },
  clock: Clock,
): void => {
  const { contact } = operator;
  if (contact === null) return;
  const path = '/.well-known/security.txt';
  const options = { schema: { hide: true }, onRequest: limiting(limits, 'documents') };
  app.get(path, options, async (_request, reply) => {
    const today = Math.floor(clock.now() / DAY_MS);
    const expires = new Date((today + SECURITY_TXT_DAYS) * DAY_MS).toISOString().replace('.000', '');
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en, zh',
      ...(publicUrl === null ? [] : [`Canonical: ${publicUrl}${path}`]),
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
};
