import type { FastifyInstance } from 'fastify';
import { guardNumbers, memoryMs } from '../../domain/accounts/guard/numbers.ts';
import { CHALLENGE_LIFE_MS } from '../../domain/accounts/sign-in/open-challenge.ts';
import { FINISHED_KEPT_MS } from '../../domain/evaluation/repository.ts';
import { journalLimits } from '../../domain/events/ports.ts';
import { DELIVERY_LIFE_MS } from '../../domain/hooks/ports.ts';
import type { Operator } from '../../http/docs/openapi.ts';
import { type Language, languageFor } from '../../http/languages.ts';
import { limitHook, type RequestLimits } from '../../http/limits/limits.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { type Asset, sendAsset } from '../assets.ts';
import { escapeHtml, fill, htmlDocument, pageBar, pageFile, policyOf, textStyle, titleIn } from '../html.ts';

/** A `copyMaxMs` of 0 means that no copies are kept. */
export interface PrivacySettings {
  readonly accounts: { readonly tokenTtlMs: number; readonly tokenMaxMs: number };
  readonly reads: { readonly copyMaxMs: number };
  readonly server: { readonly operator: Operator };
  readonly pages: { readonly enabled: boolean };
}

/**
 * Tells students what is stored, who can see it, and how it is erased; docs/run/threat-model.md tells engineers.
 * @param form `html` is rendered from `md` by `npm run documents`
 */
export const privacyText = (
  language: Language,
  { accounts, reads, server: { operator } }: PrivacySettings,
  form: 'html' | 'md',
): string => {
  const name = operator.name && escapeHtml(operator.name);
  const named = language === 'zh' ? `（${name}）` : `, ${name},`;
  const days = (ms: number): string => String(ms / DAY_MS);
  return fill(pageFile(`privacy/privacy.${language}.${form}`), {
    idleDays: days(accounts.tokenTtlMs),
    mostDays: days(accounts.tokenMaxMs),
    changes: String(journalLimits.entries),
    changeDays: days(journalLimits.ageMs),
    knownDays: days(journalLimits.knownMs),
    deliveryDays: days(DELIVERY_LIFE_MS),
    challengeMinutes: String(CHALLENGE_LIFE_MS / MINUTE_MS),
    guardHours: String(memoryMs / HOUR_MS),
    homeDays: days(guardNumbers.home.lifeMs),
    provesDays: days(guardNumbers.endedTokens.provesMs),
    evaluationHours: String(FINISHED_KEPT_MS / HOUR_MS),
    copyDays: reads.copyMaxMs === 0 ? null : days(reads.copyMaxMs),
    operator: name && named,
    contact: operator.contact && escapeHtml(operator.contact),
    contactName: operator.contact && escapeHtml(operator.contact.replace('mailto:', '')),
  });
};

const style = textStyle();

export const addPrivacy = (app: FastifyInstance, limits: RequestLimits, settings: PrivacySettings): void => {
  const page = (language: Language): Asset => {
    const body = privacyText(language, settings, 'html');
    const bar = pageBar(language, 'privacy', settings.pages.enabled);
    return htmlDocument(language, titleIn(body), style, `${bar}<main>\n${body}</main>\n`);
  };
  const pages: Readonly<Record<Language, Asset>> = {
    en: page('en'),
    zh: page('zh'),
  };
  const config = { contentPolicy: policyOf(style) };
  const options = { config, schema: { hide: true }, onRequest: limitHook(limits, 'documents') };
  app.get('/privacy', options, async (request, reply) => {
    reply.vary('Accept-Language');
    return sendAsset(reply, pages[languageFor(request)], 0);
  });
};

/** RFC 9116 asks for less than a year, so that stale contacts are not trusted for long. */
const SECURITY_TXT_DAYS = 180;

/** Serves the contact for reporting a weakness; 404 if the operator states none. */
export const addSecurityTxt = (
  app: FastifyInstance,
  limits: RequestLimits,
  { operator, publicUrl }: { readonly operator: Operator; readonly publicUrl: string | null },
  clock: Clock,
): void => {
  const { contact } = operator;
  if (contact === null) return;
  const path = '/.well-known/security.txt';
  const options = { schema: { hide: true }, onRequest: limitHook(limits, 'documents') };
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
