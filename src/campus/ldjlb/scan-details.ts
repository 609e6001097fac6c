import { isObject } from '../parsing/scalars.ts';

/** What a scan answer tells beside its code: texts as they are, every other value as its JSON text. */
export const scanDetails = (data: unknown): Readonly<Record<string, string>> =>
  isObject(data)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
      )
    : {};
