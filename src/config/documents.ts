import type { TSchema } from '@sinclair/typebox';
import { expectation } from './read.ts';
import { settings } from './schema.ts';
import { groups, type SettingMeta } from './setting.ts';

type Entry = readonly [key: string, setting: TSchema & SettingMeta];

const entriesOf = (group: SettingMeta['group']): Entry[] =>
  Object.entries(settings.properties).filter(([, setting]) => setting.group === group);

/** The default as one would write it in the environment; null when the schema has none. */
const defaultText = ({ default: value }: TSchema): string | null => {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(',') : String(value);
};

/** A bar would end the cell, and what looks like a tag would vanish, except between backticks. */
const inCell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll(/<(?=(?:[^`]*`[^`]*`)*[^`]*$)/g, '&lt;');

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const defaultCell = (setting: TSchema & SettingMeta): string => {
  const text = defaultText(setting);
  const base = text === null ? (setting.otherwise ?? 'not set') : text === '' ? 'empty' : code(text);
  return setting.demoDefault === undefined ? base : `${base} (demo campus: ${code(String(setting.demoDefault))})`;
};

const row = ([key, setting]: Entry): string =>
  `| ${code(key)} | ${inCell(expectation(setting))} | ${defaultCell(setting)} | ${inCell(setting.description)} | ${code(setting.example)} |`;

const section = (group: SettingMeta['group']): string =>
  [
    `## ${group}`,
    '',
    '| Key | Value | Default | Meaning | Example |',
    '|---|---|---|---|---|',
    ...entriesOf(group).map(row),
  ].join('\n');

const secretKeysText = (): string =>
  Object.entries(settings.properties)
    .filter(([, { secret }]) => secret === true)
    .map(([key]) => code(key))
    .join(', ');

/** `docs/configuration.md` */
export const configurationDocument = (): string => `# Configuration

Generated from the configuration schema by \`npm run documents\`; \`npm run check\` compares. Do not edit.

Every key is an environment variable. A file \`.env\` in the working directory is read as well; what the environment
says wins. An empty value counts as not set. Lists are separated by commas; switches take \`on\`/\`off\`, \`true\`/\`false\`,
\`yes\`/\`no\`, \`1\`/\`0\`.

A wrong value stops the start. All problems are printed at once, each with its key, what is wrong with what was given and
what to give; the exit code is 1. \`npm start -- --check-config\` does only that check: it creates nothing and listens
nowhere. The values of ${secretKeysText()} are never printed, only
described; each of them may be given as a file instead, whose path the key with \`_FILE\` behind it names
(\`SECRET_KEY_FILE=/run/secrets/secret_key\`; lists may have one item per line). A key that begins with \`CAMPUS_\` or is nearly one of ours, but is none, gives a warning.

Without any campus address the built-in demo campus is served. With some of the addresses but not all, the start fails
and names the missing ones. With \`NODE_ENV=production\` the demo campus must be chosen with \`CAMPUS=demo\`.

A database belongs to the campus it was first used with: the demo campus, or the hosts, ports and schemes of the
addresses (their paths may be corrected). A start with another campus fails and names both; the demo campus has a default
file of its own. \`campus adopt\` takes a database over to changed addresses, see [operations.md](operations.md).

${groups.map(section).join('\n\n')}
`;

const exampleLines = ([key, setting]: Entry): string => {
  const text = defaultText(setting);
  const standing = text === null ? `Default: ${setting.otherwise ?? 'not set'}` : `Default: ${text || 'empty'}`;
  return [
    `# ${setting.description}`,
    `# Value: ${expectation(setting)}. ${standing}.${setting.secret ? ` Or ${key}_FILE: a file that holds it.` : ''}`,
    `# ${key}=${setting.example}`,
    '',
  ].join('\n');
};

/** `.env.example`: every key, commented out, so that a plain copy changes nothing. */
export const exampleEnvironment = (): string =>
  [
    '# Copy to .env and remove the # before what you want to change. Nothing here is needed to try the demo campus.',
    '# Generated from the configuration schema by `npm run documents`. Do not edit.',
    '',
    ...groups.flatMap((group) => [`# ---- ${group}`, '', ...entriesOf(group).map(exampleLines)]),
  ].join('\n');
