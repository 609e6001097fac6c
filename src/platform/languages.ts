import type { FastifyRequest } from 'fastify';

/** A text in the languages of the clients. */
export interface Words {
  readonly en: string;
  readonly zh: string;
}

export type Language = keyof Words;

/** How much a header wants a language, `null` where it names neither that nor `*`. A malformed weight counts as none. */
const weightOf = (header: string, language: string): number | null => {
  const named = new Map<string, number>();
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const primary = range.split('-', 1)[0] ?? '';
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    const number = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
    named.set(primary, Math.max(named.get(primary) ?? 0, number));
  }
  return named.get(language) ?? named.get('*') ?? null;
};

/**
 * The language of `Accept-Language` for texts that exist in both: Chinese where it is wanted more than English, or as
 * much and named first; English otherwise, so that a client which says nothing reads what it always read.
 */
export const languageOf = (header: string | undefined): Language => {
  if (header === undefined) return 'en';
  const [zh, en] = [weightOf(header, 'zh') ?? 0, weightOf(header, 'en') ?? 0];
  if (zh !== en) return zh > en ? 'zh' : 'en';
  return zh > 0 && /(?:^|,)\s*(zh|en|\*)\b/i.exec(header)?.[1]?.toLowerCase() === 'zh' ? 'zh' : 'en';
};

/** The language of the address (`?lang=`), or of the reader. */
export const languageFor = ({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language => {
  const asked = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined;
  return asked === 'en' || asked === 'zh' ? asked : languageOf(headers['accept-language']);
};
