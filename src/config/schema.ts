import { type Static, Type } from '@sinclair/typebox';
import { accountsSettings, storageSettings } from './settings/accounts.ts';
import { campusSettings } from './settings/campus.ts';
import { calendarSettings, evaluationSettings, readsSettings } from './settings/features.ts';
import { serverSettings } from './settings/server.ts';

/** Every key of the configuration: type, default, bounds, meaning. The documents are generated from here. */
export const settings = Type.Object({
  ...serverSettings,
  ...storageSettings,
  ...accountsSettings,
  ...campusSettings,
  ...readsSettings,
  ...calendarSettings,
  ...evaluationSettings,
});

export type Settings = Static<typeof settings>;
export type SettingKey = keyof Settings;
