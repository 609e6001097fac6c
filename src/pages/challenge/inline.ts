const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A module as our own files write it, named imports and exported constants, as a function's block. */
const blockOf = (text: string): string => {
  const exported = [...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  const body = text
    .replace(/^import \{([^}]*)\} from '([^']+)';$/gm, (_, names: string, path: string) => {
      return `const {${names}} = modules['${nameOf(path)}'];`;
    })
    .replace(/^export (?=const )/gm, '');
  return `(() => {\n${body}\nreturn { ${exported.join(', ')} };\n})()`;
};

/** A minified module without imports, which ends with the list of what it exports. */
const blockOfLibrary = (text: string): string => {
  const [code = '', exported = ''] = text.split(/export\s*\{(?=[^}]*\}\s*;?\s*$)/);
  const members = exported.replace(/\}\s*;?\s*$/, '').split(',');
  const given = members.map((member) => member.trim().split(/\s+as\s+/)).map(([own, name = own]) => `${name}: ${own}`);
  return `(() => {${code}\nreturn { ${given.join(', ')} };\n})()`;
};

/**
 * One script of several modules, each after those that it imports, for a page whose policy names its script by a hash: a
 * module that is fetched cannot be named so. `modules`: path and text.
 */
export const inlineModules = (
  library: readonly [path: string, text: string],
  modules: ReadonlyArray<readonly [path: string, text: string]>,
): string => {
  const blocks = modules.map(([path, text]) => `modules['${nameOf(path)}'] = ${blockOf(text)};`);
  return ['const modules = {};', `modules['${nameOf(library[0])}'] = ${blockOfLibrary(library[1])};`, ...blocks].join(
    '\n',
  );
};
