import type { FastifyRequest } from 'fastify';

/** A text in the languages of the clients. */
export interface Words {
  readonly en: string;
  readonly zh: string;
}

export type Language = keyof Words;

/** The weights of what an `Accept-…` header names, in lower case. A malformed weight counts as none. */
export const weightsOf = (header: string): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>();
  for (const element of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = element.split(';').map((part) => part.trim());
    const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    weights.set(name, weight >= 0 && weight <= 1 ? weight : 0);
  }
  return weights;
};

/** Of a language by any of its names, such as `zh-CN`. */
const weightOf = (weights: ReadonlyMap<string, number>, language: Language): number => {
  const named = [...weights].filter(([name]) => name.split('-', 1)[0] === language);
  return named.length === 0 ? (weights.get('*') ?? 0) : Math.max(...named.map(([, weight]) => weight));
};

/**
 * The language of `Accept-Language` for texts that exist in both: Chinese where it is wanted more than English, or as
 * much and named first; English otherwise, so that a client which says nothing reads what it always read.
 */
export const languageOf = (header: string | undefined): Language => {
  if (header === undefined) return 'en';
  const weights = weightsOf(header);
  const [zh, en] = [weightOf(weights, 'zh'), weightOf(weights, 'en')];
  if (zh !== en) return zh > en ? 'zh' : 'en';
  return zh > 0 && /(?:^|,)\s*(zh|en|\*)\b/i.exec(header)?.[1]?.toLowerCase() === 'zh' ? 'zh' : 'en';
};

/** The language of the address (`?lang=`), or of the reader. */
export const languageFor = ({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): Language => {
  const asked = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined;
  return asked === 'en' || asked === 'zh' ? asked : languageOf(headers['accept-language']);
};
