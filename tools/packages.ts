import { execFileSync } from 'node:child_process';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const License = Type.Object({ id: Type.Optional(Type.String()), name: Type.Optional(Type.String()) });
const LicenseChoice = Type.Object({ license: Type.Optional(License), expression: Type.Optional(Type.String()) });
const Component = Type.Object({
  'bom-ref': Type.String(),
  type: Type.String(),
  name: Type.String(),
  version: Type.String(),
  purl: Type.String(),
  hashes: Type.Array(Type.Object({ alg: Type.String(), content: Type.String() })),
  licenses: Type.Array(LicenseChoice, { minItems: 1 }),
});
/** As npm tells it; what is only for development need not say everything. */
const Told = Type.Composite([
  Type.Partial(Component),
  Type.Object({ properties: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })) }),
]);
const Dependency = Type.Object({ ref: Type.String(), dependsOn: Type.Optional(Type.Array(Type.String())) });
const Answer = Type.Object({
  bomFormat: Type.Literal('CycloneDX'),
  specVersion: Type.String(),
  components: Type.Array(Told, { minItems: 1 }),
  dependencies: Type.Array(Dependency),
});
type Component = Static<typeof Component>;
/** Leaves out everything that differs from run to run or from one npm to the next. */
type Bill = Omit<Static<typeof Answer>, 'components'> & { readonly components: readonly Component[] };

/** Licences that only ask to be named. Another one needs a decision. */
const accepted = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
  'CC0-1.0',
]);

/**
 * Decided for one package each, and for no other of that licence. MPL-2.0 asks to publish changes to its own files, and
 * to say where they are: the package is used as it is, and holds them.
 */
const acceptedFor = new Map([['ical.js', 'MPL-2.0']]);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Not for development alone. */
const runs = ({ properties }: Static<typeof Told>): boolean =>
  !properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

/** The packages of package-lock.json that run in production. */
const readBill = (root: string): Bill => {
  // With --omit=dev npm would also leave out what development and production share.
  const args = ['sbom', '--package-lock-only', '--workspaces=false', '--sbom-format=cyclonedx'];
  const text = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const { bomFormat, specVersion, components: told, dependencies } = Value.Parse(Answer, JSON.parse(text));
  const running = told.filter(runs).map((component) => Value.Parse(Component, Value.Clean(Component, component)));
  // Some releases of npm list a package once for each place where it lies.
  const components = new Map(running.map((component) => [component['bom-ref'], component]));
  const needs = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn.toSorted(byText)]));
  return {
    bomFormat,
    specVersion,
    components: [...components.values()].toSorted((a, b) => byText(a['bom-ref'], b['bom-ref'])),
    dependencies: [...needs]
      .filter(([ref]) => components.has(ref))
      .map(([ref, dependsOn]) => ({ ref, dependsOn }))
      .toSorted((a, b) => byText(a.ref, b.ref)),
  };
};

const licenceOf = ({ name, licenses }: Component): string => {
  const [first] = licenses;
  const text = first?.expression ?? first?.license?.id ?? first?.license?.name ?? 'none';
  const choices = text.replaceAll(/[()]/g, '').split(' OR ');
  if (choices.some((choice) => accepted.has(choice) || acceptedFor.get(name) === choice)) return text;
  throw new Error(
    `${name} has the licence ${text}: read it, and accept it in tools/packages.ts or use another package`,
  );
};

/** `docs/reference/sbom.json`: a CycloneDX bill of materials, without serial number and time. */
export const billOfMaterials = (root: string): string => {
  const { bomFormat, specVersion, ...rest } = readBill(root);
  return `${JSON.stringify({ bomFormat, specVersion, version: 1, ...rest }, null, 2)}\n`;
};

/** `docs/reference/licences.md` */
export const licenceList = (root: string): string => {
  const packages = new Map<string, string[]>();
  const { components } = readBill(root);
  for (const component of components) {
    const licence = licenceOf(component);
    packages.set(licence, [...(packages.get(licence) ?? []), `${component.name} ${component.version}`]);
  }
  const sections = [...packages].toSorted(([a], [b]) => byText(a, b));
  return `# Licences

Generated from package-lock.json by \`npm run documents\`; \`npm run check\` compares. Do not edit.

The service is under the MIT licence, see [LICENSE](../../LICENSE). It runs with these ${components.length} packages, each with its licence
text in \`node_modules\`; [sbom.json](sbom.json) lists them for machines, with checksums and who needs whom.

${sections.map(([licence, names]) => `## ${licence}\n\n${names.map((name) => `- ${name}`).join('\n')}`).join('\n\n')}
`;
};
