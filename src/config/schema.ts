import { type Assembled, type Setting, settingsIn } from './setting.ts';
import { accountsSettings, storageSettings } from './settings/accounts.ts';
import { campusSettings } from './settings/campus.ts';
import { calendarSettings, evaluationSettings, readsSettings, webhookSettings } from './settings/features.ts';
import { serverSettings } from './settings/server.ts';

/** Every setting under the heading of its document; its place in the tree is its place in the configuration. */
export const groups = {
  Server: serverSettings,
  Storage: storageSettings,
  Accounts: accountsSettings,
  Campus: campusSettings,
  Reads: readsSettings,
  Calendar: calendarSettings,
  Evaluation: evaluationSettings,
  'Change events': webhookSettings,
};

export const settings = {
  ...serverSettings,
  ...storageSettings,
  ...accountsSettings,
  ...campusSettings,
  ...readsSettings,
  ...calendarSettings,
  ...evaluationSettings,
  ...webhookSettings,
};

type SettingValues = Assembled<typeof settings>;

export const settingsByKey = new Map(settingsIn(settings).map((setting) => [setting.key, setting]));

export const wiringKeys = settingsIn(settings.campus.wiring).map(({ key }) => key);

/** The settings with defaults for those that were not given or not readable. */
export interface ReadSettings {
  readonly values: SettingValues;
  readonly demo: boolean;
  /** Given and not empty, readable or not. */
  readonly given: ReadonlySet<string>;
  /** Given and not readable: rules that need one of these stay silent. */
  readonly failed: ReadonlySet<string>;
}

const exampleLines = ({ key, kind, default: text, meta }: Setting<unknown>): string => {
  const standing = text === null ? `Default: ${meta.otherwise ?? 'not set'}` : `Default: ${text || 'empty'}`;
  return [
    `# ${meta.description}`,
    `# Value: ${kind.expects}. ${standing}.${meta.secret ? ` Or ${key}_FILE: a file that holds it.` : ''}`,
    `# ${key}=${meta.example ?? text ?? ''}`,
    '',
  ].join('\n');
};

/** Writes `.env.example` with every key commented out, so that a plain copy changes nothing. */
export const exampleEnvironment = (): string =>
  [
    '# Copy to .env and remove the # before what you want to change. Nothing here is needed to try the demo campus.',
    '# Generated from the configuration schema by `npm run documents`. Do not edit.',
    '',
    '# ==== What production needs',
    '',
    ...[...settingsByKey.values()].filter(({ meta }) => meta.needed).map(exampleLines),
    '# ==== Advanced: the defaults are meant for production',
    '',
    ...Object.entries(groups).flatMap(([name, tree]) => {
      const rows = settingsIn(tree).filter(({ meta }) => !meta.needed);
      return rows.length === 0 ? [] : [`# ---- ${name}`, '', ...rows.map(exampleLines)];
    }),
  ].join('\n');
