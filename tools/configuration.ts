import { groups, settingsByKey } from '../src/config/schema.ts';
import { type Setting, settingsIn } from '../src/config/setting.ts';

type Row = Setting<unknown>;

/** A bar would end the cell, and what looks like a tag would vanish, except between backticks. */
const inCell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll(/<(?=(?:[^`]*`[^`]*`)*[^`]*$)/g, '&lt;');

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const defaultCell = ({ default: text, meta: { otherwise = 'not set', demoDefault } }: Row): string => {
  const base = text === null ? otherwise : text === '' ? 'empty' : code(text);
  return demoDefault === undefined ? base : `${base} (demo campus: ${code(demoDefault)})`;
};

const row = (setting: Row): string => {
  const { key, kind, meta } = setting;
  const example = meta.example === undefined ? '' : ` Example: ${code(meta.example)}`;
  const cells = [code(key), inCell(kind.expects), defaultCell(setting), `${inCell(meta.description)}${example}`];
  return `| ${cells.join(' | ')} |`;
};

const section = ([name, tree]: [string, Parameters<typeof settingsIn>[0]]): string =>
  [`## ${name}`, '', '| Key | Value | Default | Meaning |', '|---|---|---|---|', ...settingsIn(tree).map(row)].join(
    '\n',
  );

const secretKeysText = (): string =>
  [...settingsByKey.values()]
    .filter(({ meta }) => meta.secret)
    .map(({ key }) => code(key))
    .join(', ');

/** `docs/reference/configuration.md` */
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

Without any campus address the built-in demo campus is served. With some of the addresses but not all, startup fails
and names the missing ones. With \`NODE_ENV=production\` the demo campus must be chosen with \`CAMPUS=demo\`. A campus with other systems is described by a manifest, which \`CAMPUS\` names, instead of addresses: see
[another-campus.md](../build/another-campus.md).

A database belongs to the campus it was first used with: the demo campus, or the hosts, ports and schemes of portal and
unified login, which get the passwords (paths and applications may change). Startup with another campus fails and names both; the demo campus has its own
default file. A start with \`--same-campus\` says that a campus has moved to new addresses, see [operations.md](../run/operations.md).

${Object.entries(groups).map(section).join('\n\n')}
`;
