import { eventTypeNames, eventTypes } from '../src/domain/events/records.ts';

const tables = {
  'docs/use/events.md': { head: '| Type | When |', member: 'means' },
  'docs/zh/events.md': { head: '| 类型 | 含义 |', member: 'chinese' },
} as const;

const isTold = (path: string): path is keyof typeof tables => path in tables;

/** A document with its table of event types, where it has one. @throws Error where the table is missing */
export const withEvents = (path: string, text: string): string => {
  if (!isTold(path)) return text;
  const { head, member } = tables[path];
  const [before, after, ...more] = text.split(`${head}\n|---|---|\n`);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`${path} has no table ${head}`);
  const rows = eventTypeNames
    .map((name) => `| \`${name}\` | ${eventTypes[name][member].replace(/\.$/, '')} |\n`)
    .join('');
  return `${before}${head}\n|---|---|\n${rows}${after.replace(/^(?:\|.*\n)+/, '')}`;
};
