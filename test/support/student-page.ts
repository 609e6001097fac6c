import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { feedParts } from '../../src/domain/calendar/kinds.ts';

const root = join(import.meta.dirname, '../../src/pages');

/** Our own scripts of the page for students and of the page of a challenge, by path below `src/pages`. */
export const pageScripts = (): ReadonlyMap<string, string> =>
  new Map(
    globSync(['app/**/*.js', 'challenge/*.js'], { cwd: root })
      .sort()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );

export const pageFileText = (path: string): string => readFileSync(join(root, path), 'utf8');

type Words = Readonly<Record<string, string>>;
export const pageWords = (language: 'en' | 'zh'): Words => JSON.parse(pageFileText(`app/words/${language}.json`));

/** As much of a browser as the scripts look at when they are loaded. `url`: of the service. */
export const pretendBrowser = (url: string): (() => void) => {
  const kept = new Map<string, PropertyDescriptor | undefined>();
  const storage = () => {
    const values = new Map<string, string>();
    return {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    };
  };
  const values: Record<string, unknown> = {
    document: {
      documentElement: { dataset: { root: '../', calendars: feedParts.join(' ') } },
      baseURI: `${url}/app/`,
      getElementById: () => null,
      querySelector: () => null,
    },
    location: { hash: '', origin: url },
    sessionStorage: storage(),
    localStorage: storage(),
    addEventListener: () => {},
  };
  for (const [name, value] of Object.entries(values)) {
    kept.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of kept) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
};

/** The text of what a view has drawn, with the marks that stand for whole elements. */
export const textOf = (node: unknown): string => {
  if (node === null || node === undefined || typeof node === 'boolean') return '';
  if (Array.isArray(node)) return node.map(textOf).join(' ');
  if (typeof node !== 'object') return String(node);
  const { type, props } = node as { type: unknown; props: Record<string, unknown> };
  if (typeof type === 'function') return textOf(type(props));
  return `<${type}>${textOf(props.children)}`;
};

/** Fails for a member that the value does not have: a name that was spelt wrong would draw nothing. */
export const strict = <T>(value: T, path = ''): T => {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name, receiver) {
      if (typeof name === 'string' && !Array.isArray(target) && !(name in target)) {
        throw new Error(`${path}.${name} is no member`);
      }
      const found = Reflect.get(target, name, receiver);
      return typeof found === 'function' ? found.bind(target) : strict(found, `${path}.${String(name)}`);
    },
  });
};
