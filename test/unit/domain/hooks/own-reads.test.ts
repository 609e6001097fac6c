import { expect, it } from 'vitest';
import { readRows } from '../../../../src/domain/all-reads.ts';
import { createOwnReads } from '../../../../src/domain/hooks/refresh.ts';

it('what a row says is read for hooks is read for hooks, without a second list to remember', () => {
  const everything = { has: () => true } as unknown as ReadonlySet<never>;
  const but = (...lacking: string[]) =>
    ({ has: (capability: string) => !lacking.includes(capability) }) as unknown as ReadonlySet<never>;
  // No read is made: only which there are is asked.
  const service = new Proxy({}, { get: () => async () => {} }) as never;
  const namesAt = (capabilities: ReadonlySet<never>) =>
    createOwnReads({
      campus: { capabilities },
      ...{ academics: service, electricity: service, laborClub: service },
    }).map(({ name }) => name);
  const declared = Object.values(readRows).flatMap(({ name, ownReading }) => (ownReading ? [name] : []));
  // A term's scores stand in where a campus has no list of this term's.
  const found = [...namesAt(everything), ...namesAt(but('academics.currentScores'))];
  expect([...new Set(found)].toSorted()).toEqual(declared.toSorted());
});
