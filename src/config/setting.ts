import type { SettingKind } from './kinds.ts';

interface Meta {
  readonly description: string;
  /** Where the default does not show how a value looks. */
  readonly example?: string;
  readonly secret?: boolean;
  /** Replaces the default while the demo campus is used. */
  readonly demoDefault?: string;
  /** Says what holds when the key is not set and has no default. */
  readonly otherwise?: string;
  /** Required wherever a real campus is served to the public. */
  readonly needed?: boolean;
}

/** One setting; its place in the tree of settings is its place in the configuration. */
export interface Setting<T> {
  readonly key: string;
  readonly kind: SettingKind<T>;
  /** As one would write it in the environment; null: none. */
  readonly default: string | null;
  /** The value while the setting is not given. */
  readonly unset: T;
  readonly meta: Meta;
}

/** @throws Error when the default is none of its kind */
export const setting = <T>(key: string, kind: SettingKind<T>, standing: string, meta: Meta): Setting<T> => {
  const unset = kind.read(standing);
  if (unset === null) throw new Error(`the default of ${key} is not ${kind.expects}`);
  return { key, kind, default: standing, unset, meta };
};

export const optionalSetting = <T>(key: string, kind: SettingKind<T>, meta: Meta): Setting<T | null> => ({
  key,
  kind,
  default: null,
  unset: null,
  meta,
});

interface SettingTree {
  readonly [member: string]: SettingTree | Setting<unknown>;
}

/** The configuration as a tree of settings says it. */
export type Assembled<Tree> =
  Tree extends Setting<infer T> ? T : { readonly [Member in keyof Tree]: Assembled<Tree[Member]> };

const isSetting = (entry: SettingTree | Setting<unknown>): entry is Setting<unknown> => typeof entry.key === 'string';

export const settingsIn = (tree: SettingTree): Setting<unknown>[] =>
  Object.values(tree).flatMap((entry) => (isSetting(entry) ? [entry] : settingsIn(entry)));

export const assembleSettings = <Tree extends SettingTree>(
  tree: Tree,
  value: (setting: Setting<unknown>) => unknown,
): Assembled<Tree> =>
  // `value` gives what the kind of the setting has read: no type says so of a tree.
  Object.fromEntries(
    Object.entries(tree).map(([member, entry]) => [
      member,
      isSetting(entry) ? value(entry) : assembleSettings(entry, value),
    ]),
  ) as Assembled<Tree>;
