import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecording } from '../src/composition/recordings.ts';
import type { Proof } from '../src/config/proven.ts';

type Recorded = Exclude<ReturnType<typeof readRecording>, string>;

/** The recordings below `test/recordings`, which their tests replay. */
export const recordingsIn = (folder: string): Recorded[] => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => {
    const files = readdirSync(join(folder, name)).map(
      (file) => [file, readFileSync(join(folder, name, file))] as const,
    );
    const recorded = readRecording(new Map(files));
    if (typeof recorded === 'string') throw new Error(`test/recordings/${name}: ${recorded}`);
    return recorded;
  });
};

/** Only a real campus proves, and only the reads that gave a record; of several months the newest. */
export const proofsIn = (recordings: readonly Recorded[]): Proof[] => {
  const proofs = recordings
    .filter(({ origin }) => origin === 'campus')
    .flatMap(({ now, exchanges, readings }) => {
      const month = new Date(now).toISOString().slice(0, 7);
      return readings
        .filter(({ failure }) => failure === null)
        .flatMap(({ page }): Proof[] => {
          const products = new Set(exchanges.filter((each) => each.page === page).map(({ product }) => product));
          return [...products].map((product) => ({ product, capability: page, month }));
        });
    });
  const newest = new Map<string, Proof>();
  for (const proof of proofs.toSorted((a, b) => (a.month < b.month ? -1 : 1))) {
    newest.set(`${proof.product} ${proof.capability}`, proof);
  }
  return [...newest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, proof]) => proof);
};

export const provenFile = (root: string): string => {
  const folder = join(root, 'test/recordings');
  return `${JSON.stringify(proofsIn(existsSync(folder) ? recordingsIn(folder) : []), null, 2)}\n`;
};

/** The applications that a row of the table of products is about, by what its first cell begins with in either language. */
const rows: Readonly<Record<string, readonly string[]>> = {
  'URP 综合教务': ['jwc'],
  树维: ['eams5'],
  'Activity score': ['aac', 'isim', 'ldjlb', 'competition', 'card'],
  活动分: ['aac', 'isim', 'ldjlb', 'competition', 'card'],
};

const words = {
  en: {
    proven: (month: string) => `recording, ${month}`,
    none: 'No recording of a real campus has tested a row yet:',
    some: 'A *recording* of a real campus has tested some reads of its row:',
  },
  zh: {
    proven: (month: string) => `录制，${month}`,
    none: '尚无真实校园的录制验证过任何一行；',
    some: '“录制”指真实校园的录制验证过其中部分读取；',
  },
} as const;

/** The table of products, whose last cell says what is proven, and the sentence below it. */
export const withProofs = (readme: string, language: keyof typeof words, proofs: readonly Proof[]): string => {
  const { proven, none, some } = words[language];
  const lines = readme.split('\n').map((line) => {
    const [start] = Object.keys(rows).filter((name) => line.startsWith(`| ${name}`));
    const products = start === undefined ? [] : (rows[start] ?? []);
    const months = proofs.filter(({ product }) => products.includes(product)).map(({ month }) => month);
    const newest = months.toSorted().at(-1);
    return newest === undefined ? line : line.replace(/\| [^|]* \|$/, `| ${proven(newest)} |`);
  });
  const [is, was] = proofs.length === 0 ? [none, some] : [some, none];
  return lines.join('\n').replace(was, is);
};
