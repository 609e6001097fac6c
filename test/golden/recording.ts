import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type DocumentedOperation, documentedOperations } from '../support/openapi-operations.ts';
import { accountCases } from './account-cases.ts';
import { givenOf, nameOf, type Subject } from './call.ts';
import { campusCases } from './campus-cases.ts';
import { OddTexts } from './odd-texts.ts';
import { headersOf, type Recorded, recordText, type UsualHeaders } from './recorded.ts';
import { taskCases } from './task-cases.ts';
import { GoldenWorld } from './world.ts';
import { wrongRequests } from './wrong-requests.ts';

type Surface = 'a' | 'b';

/** Set to have a run write the recording instead of comparing it. */
const writes = process.env.GOLDEN === 'write';

const folderOf = (surface: Surface): string => join(import.meta.dirname, 'recorded', surface);

const fileOf = (operation: DocumentedOperation): string => {
  const path = operation.path.replace('/api/v1/', '/').replaceAll(/[{}]/g, '').replaceAll('/', '-').replace(/^-/, '');
  return `${path || 'root'}.${operation.method.toLowerCase()}.txt`;
};

const recordOperation = async (
  world: GoldenWorld,
  operation: DocumentedOperation,
  texts: OddTexts,
): Promise<Recorded[]> => {
  const given = givenOf(operation);
  const subject: Subject = { world, operation, given, texts, student: await world.registered() };
  const recorded = [
    ...(await campusCases(subject)),
    ...(await accountCases(subject)),
    ...(await taskCases(subject)),
    ...(await wrongRequests({ ...subject, student: await world.registered() })),
  ];
  return recorded;
};

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '(no recording)';
  }
};

const write = (folder: string, texts: ReadonlyMap<string, string>): void => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of texts) writeFileSync(join(folder, file), text);
};

/** Probes are no measure: they leave out what nobody asks of them. Nor is what everybody may keep. */
const isUsual = ({ answer: { status, headers } }: Recorded): boolean =>
  status === 200 &&
  headers.some(([name, value]) => name === 'content-type' && value.includes('json')) &&
  headers.some(([name]) => name === 'access-control-allow-origin') &&
  headers.some(([name, value]) => name === 'cache-control' && value === 'no-store');

/** Every operation of one surface, in the order of the document, and what is tried with its members. */
const documented = (app: FastifyInstance, surface: Surface) => {
  const { document, operations } = documentedOperations(app);
  return { operations: operations.filter((each) => each.surface === surface), texts: new OddTexts(document) };
};

const inWorld = async <T>(work: (world: GoldenWorld) => Promise<T>): Promise<T> => {
  const world = await GoldenWorld.open();
  try {
    return await work(world);
  } finally {
    await world.close();
  }
};

interface Recording {
  readonly recorded: readonly Recorded[];
  /** Of the requests at the campus. */
  readonly shapes: readonly string[];
}

/** An operation has a world of its own, so its recording depends on no other. */
const recordingOf = (operation: DocumentedOperation, texts: OddTexts): Promise<Recording> =>
  inWorld(async (world) => {
    const recorded = await recordOperation(world, operation, texts);
    return { recorded, shapes: world.traffic.shapes() };
  });

const textsOf = (recordings: ReadonlyMap<DocumentedOperation, Recording>): ReadonlyMap<string, string> => {
  const all = [...recordings.values()];
  const shapes = new Set(all.flatMap((each) => each.shapes));
  const example = all.flatMap(({ recorded }) => recorded).find(isUsual);
  const usual: UsualHeaders = example ? headersOf(example.answer) : new Map();
  const lines = [...usual].map(([name, value]) => `${name}: ${value}\n`);
  return new Map([
    ['_usual-headers.txt', lines.join('')],
    ['_campus-requests.txt', `${[...shapes].sort().join('\n')}\n`],
    ...[...recordings].map(([operation, { recorded }]): [string, string] => [
      fileOf(operation),
      recordText(nameOf(operation), recorded, usual),
    ]),
  ]);
};

/**
 * Records every operation of the surface. On a busy machine a thread of the runtime may take longer than the world
 * waits for it before it moves time, so a difference from `folder` is recorded once more, and the second recording
 * counts.
 */
const surfaceTexts = async (surface: Surface, folder: string): Promise<ReadonlyMap<string, string>> => {
  const recordings = new Map<DocumentedOperation, Recording>();
  const { operations, texts } = await inWorld(async ({ gateway }) => documented(gateway.app, surface));
  for (const operation of operations) recordings.set(operation, await recordingOf(operation, texts));
  const made = textsOf(recordings);
  const differing = operations.filter((each) => made.get(fileOf(each)) !== read(join(folder, fileOf(each))));
  if (differing.length === 0) return made;
  for (const operation of differing) recordings.set(operation, await recordingOf(operation, texts));
  return textsOf(recordings);
};

const SHOWN_BEFORE = 6;
const SHOWN_AFTER = 12;

/** Where two texts part, with some lines around. */
const parting = (kept: string, made: string): string => {
  const [before, after] = [kept.split('\n'), made.split('\n')];
  const at = after.findIndex((line, index) => line !== before[index]);
  const from = Math.max(0, (at < 0 ? after.length : at) - SHOWN_BEFORE);
  const shown = (lines: readonly string[]) => lines.slice(from, from + SHOWN_BEFORE + SHOWN_AFTER).join('\n');
  return `line ${from + 1}, recorded:\n${shown(before)}\n\nnow:\n${shown(after)}`;
};

/**
 * Where the surface differs from its recording, by file; nothing when it does not. `GOLDEN=write` in the environment
 * replaces the recording first.
 */
export const differences = async (surface: Surface): Promise<Readonly<Record<string, string>>> => {
  const folder = folderOf(surface);
  const made = await surfaceTexts(surface, folder);
  if (writes) write(folder, made);
  const files = [...new Set([...made.keys(), ...readdirSync(folder)])].sort();
  return Object.fromEntries(
    files.flatMap((file) => {
      const now = made.get(file) ?? '(no such operation)';
      const kept = read(join(folder, file));
      return now === kept ? [] : [[file, parting(kept, now)]];
    }),
  );
};
