/** Names of types that several files may declare, and why. */
const exceptions: Readonly<Record<string, string>> = {
  Operation: 'each surface declares its operations, and neither may know the other',
  OpenCall: 'what an operation of a surface gets; the members differ by surface',
  StudentCall: 'the same, of a student',
  Calls: 'the two by the level of the operation',
  Scoped: 'what an operation of a surface has to say beside it',
  PlacedRow: 'a row of a timetable with its place, which each product of academics states in its own way',
};

interface Declaration {
  readonly name: string;
  readonly path: string;
  readonly isType: boolean;
  readonly isExported: boolean;
}

const declarationsIn = (path: string, text: string): Declaration[] => {
  const form =
    /^(?<exported>export )?(?:declare |abstract |async )*(?<kind>const|let|function\*?|class|interface|type|enum) (?<name>\w+)/gm;
  return [...text.matchAll(form)].map(({ groups: { exported, kind = '', name = '' } = {} }) => ({
    name,
    path,
    isType: /^(?:class|interface|type|enum)$/.test(kind),
    isExported: exported !== undefined,
  }));
};

/** Products and surfaces know none of each other: what plays one role in several of them may have one name. */
const familyOf = (path: string): readonly [family: string, sibling: string] => {
  const [, family = path, sibling = ''] =
    /^src\/(campus\/products|surfaces(?=\/[ab]\/))\/(\w[\w-]*)\//.exec(path) ?? [];
  return [family, sibling];
};

const areSiblings = (paths: readonly string[]): boolean => {
  const families = paths.map(familyOf);
  const isOneFamily = new Set(families.map(([family]) => family)).size === 1;
  return isOneFamily && new Set(families.map(([, sibling]) => sibling)).size === paths.length;
};

/**
 * Names with more than one meaning, by their text: a type is declared in one file, and nothing else is called what a file
 * exports. Private constants and functions may share names with each other.
 */
export const sharedNames = (sources: ReadonlyMap<string, string>): string[] => {
  const declared = [...sources].flatMap(([path, text]) => declarationsIn(path, text));
  const shared = [...Map.groupBy(declared, ({ name }) => name)].flatMap(([name, all]) => {
    const paths = [...new Set(all.map(({ path }) => path))];
    if (paths.length < 2) return [];
    const typePaths = new Set(all.filter(({ isType }) => isType).map(({ path }) => path));
    const isOfTypes = typePaths.size > 1;
    const isExported = all.some((each) => each.isExported);
    const mayShare = !isOfTypes && (!isExported || areSiblings(paths));
    return mayShare ? [] : [{ name, line: `${name}: ${paths.join(', ')}` }];
  });
  const names = new Set(shared.map(({ name }) => name));
  return [
    ...shared.flatMap(({ name, line }) => (Object.hasOwn(exceptions, name) ? [] : [line])),
    ...Object.keys(exceptions).flatMap((name) => (names.has(name) ? [] : [`unused exception: ${name}`])),
  ];
};
