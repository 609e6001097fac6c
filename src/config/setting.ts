import type { TSchema } from '@sinclair/typebox';
import type { FormName } from './forms.ts';

export const groups = ['Server', 'Storage', 'Accounts', 'Campus', 'Reads', 'Calendar', 'Evaluation'] as const;

/** What a setting carries beside its type, default and bounds. */
export interface SettingMeta {
  readonly group: (typeof groups)[number];
  readonly description: string;
  readonly example: string;
  /** The value, or part of it, must never be shown. */
  readonly secret?: boolean;
  /** Form of the text, or of each item of a list. */
  readonly form?: FormName;
  /** Replaces the default while the demo campus is used. */
  readonly demoDefault?: number | string;
  /** Says what holds when the key is not set and the schema has no default. */
  readonly otherwise?: string;
}

/** How the settings of a group are written down. */
export const settingOf =
  (group: SettingMeta['group']) =>
  <T extends TSchema>(schema: T, meta: Omit<SettingMeta, 'group'>): T & SettingMeta => ({ ...schema, ...meta, group });
