import { type Assembled, settingsIn } from './setting.ts';
import { accountsSettings, storageSettings } from './settings/accounts.ts';
import { campusSettings } from './settings/campus.ts';
import { calendarSettings, evaluationSettings, readsSettings, webhookSettings } from './settings/features.ts';
import { serverSettings } from './settings/server.ts';

/** Every setting: key, kind, bounds, default, meaning, and by its place where it goes. By the heads of their document. */
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

type Values = Assembled<typeof settings>;

export const settingsByKey = new Map(settingsIn(settings).map((setting) => [setting.key, setting]));

/** The addresses without which the campus cannot be reached: all of them, or none for the demo campus. */
export const wiringKeys = settingsIn(settings.campus.wiring).map(({ key }) => key);

/** What was read, with defaults for what was not given or not readable. */
export interface ReadSettings {
  readonly values: Values;
  /** The demo campus is wanted. */
  readonly demo: boolean;
  /** Given and not empty, readable or not. */
  readonly given: ReadonlySet<string>;
  /** Given and not readable: rules that lean on these say nothing more. */
  readonly failed: ReadonlySet<string>;
}
