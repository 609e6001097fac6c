import { isRecord } from '../../lib/records.ts';

/** What a scan answer tells beside its code: texts as they are, every other value as its JSON text. */
export const scanDetails = (data: unknown): Readonly<Record<string, string>> =>
  isRecord(data)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
      )
    : {};
