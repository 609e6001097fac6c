import { type TSchema, TypeGuard } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Form, forms } from './forms.ts';
import type { SettingMeta } from './setting.ts';

type Setting = TSchema & SettingMeta;

type Reading = { readonly value: unknown } | { readonly problem: string };

const switches = new Map([
  ['on', true],
  ['true', true],
  ['1', true],
  ['yes', true],
  ['off', false],
  ['false', false],
  ['0', false],
  ['no', false],
]);

const formOf = (setting: SettingMeta): Form | null => (setting.form === undefined ? null : forms[setting.form]);

/** The values of a choice, or null when the schema is none. */
const choicesOf = (schema: TSchema): string[] | null => {
  if (TypeGuard.IsLiteral(schema)) return [String(schema.const)];
  if (!TypeGuard.IsUnion(schema)) return null;
  return schema.anyOf.flatMap((member) => (TypeGuard.IsLiteral(member) ? [String(member.const)] : []));
};

const range = ({ minimum, maximum }: { minimum?: number; maximum?: number }): string => `${minimum} to ${maximum}`;

/** What the setting accepts, completing "give …". */
export const expectation = (setting: Setting): string => {
  const choices = choicesOf(setting);
  if (choices) return choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`;
  if (TypeGuard.IsInteger(setting)) return `a whole number from ${range(setting)}`;
  if (TypeGuard.IsNumber(setting)) return `a number from ${range(setting)}`;
  if (TypeGuard.IsBoolean(setting)) return 'on or off';
  const each = formOf(setting)?.expects ?? 'a text';
  if (TypeGuard.IsArray(setting)) return `a comma list of at most ${setting.maxItems}, each ${each}`;
  return each;
};

/** How a wrong value looks. A secret, and what could carry one, is only described. */
const problemOf = (text: string, setting: Setting, form: Form | null): string => {
  if (form?.fault) return form.fault(text);
  if (setting.secret || text.includes('@')) return `${text.length} characters, not ${form?.expects ?? 'as expected'}`;
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
};

const readList = (text: string, setting: Setting, form: Form | null): Reading => {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const normalized: string[] = [];
  for (const [index, item] of items.entries()) {
    const value = form ? form.normalize(item) : item;
    if (value === null) return { problem: `item ${index + 1} of ${items.length}: ${problemOf(item, setting, form)}` };
    normalized.push(value);
  }
  return Value.Check(setting, normalized) ? { value: normalized } : { problem: `a list of ${items.length}` };
};

/** What the text means under the schema; undefined when it means nothing. */
const meaning = (text: string, setting: Setting, form: Form | null): unknown => {
  if (TypeGuard.IsInteger(setting)) return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (TypeGuard.IsNumber(setting)) return /^\d{1,15}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
  if (TypeGuard.IsBoolean(setting)) return switches.get(text.toLowerCase());
  if (choicesOf(setting)) return text;
  return form ? (form.normalize(text) ?? undefined) : text;
};

/** Reads the text of one variable, trimmed and not empty. */
export const readSetting = (text: string, setting: Setting): Reading => {
  const form = formOf(setting);
  if (TypeGuard.IsArray(setting)) return readList(text, setting, form);
  const value = meaning(text, setting, form);
  return value !== undefined && Value.Check(setting, value) ? { value } : { problem: problemOf(text, setting, form) };
};
