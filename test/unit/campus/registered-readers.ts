import type { PageReader } from '../../../src/campus/parsing/reading.ts';
import { isReader, readers } from '../../support/campus-readers.ts';

/** Every registered reader, once for each good page of it. */
export const registeredReaders: Array<{ name: string; read: PageReader; sample: string }> = [];
for (const { file, exports, sample } of readers) {
  const module: Record<string, unknown> = await import(new URL(`../../../src/campus/${file}`, import.meta.url).href);
  for (const name of exports) {
    const read = module[name];
    if (isReader(read)) registeredReaders.push({ name, read, sample });
  }
}
