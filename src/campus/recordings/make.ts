import { campusDate } from '../../lib/time.ts';
import { classOfMember, mapRecord } from './atoms.ts';
import { differences, readRecording, writeRecording } from './folder.ts';
import type { Recorded, Replay, Scrubbed } from './recording.ts';
import { reduce } from './reduce.ts';
import { scrubPages } from './scrub.ts';
import { findLeak } from './search.ts';
import { keptWordsOf } from './words.ts';
import { prepareScrub, type ScrubWork } from './work.ts';

/**
 * Letters that stand inside a kept word, or a member's name or word that is worked out here (`index` in `group_index`):
 * finding them again says nothing of the person.
 */
const isPartOfWord = ({ products, readings }: Recorded) => {
  const words = new Set(keptWordsOf(products.map(({ product }) => product)));
  for (const reading of readings)
    mapRecord(reading, (leaf, member) => {
      for (const name of member.split('.')) words.add(name);
      if (classOfMember(member) === 'own') words.add(String(leaf));
    });
  const all = [...words].join(' ').toLowerCase();
  return (text: string): boolean => /^[A-Za-z]+$/.test(text) && all.includes(text.toLowerCase());
};

/** Nothing may be written of what was refused. */
export const finishScrub = async (
  work: ScrubWork,
  replay: Replay,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<Scrubbed> => {
  const reduced = await reduce(work, replay, leftOut);
  const { exchanges, readings, landed, ledger } = await scrubPages(reduced, replay);
  const { origin, version, products, now, timeZone, secrets, userid } = reduced.recorded;
  const own = [...secrets, userid].filter((secret) => secret !== ledger.userid);
  const isNoOnes = isPartOfWord(reduced.recorded);
  const replaced = ledger.listReplaced().filter((text) => !isNoOnes(text) && text !== String(now));
  const leak = findLeak({ exchanges, readings, landed, secrets: own, replaced });
  if (leak !== null) return { refused: leak };
  const facts = { origin, version, products: [...products], timeZone, userid: ledger.userid, landed };
  const files = writeRecording({ ...facts, now: campusDate(now, timeZone) }, exchanges, readings);
  return { files, keptWords: [...ledger.kept].toSorted(), shapes: [...reduced.shapes].toSorted() };
};

/** Rows that are alike only once nobody's text is left in them go as well, so that a recording is what is made of it. */
const mostRounds = 6;

/**
 * Makes a recording of which nobody can tell whose it is.
 * @param leftOut shapes, as an earlier call has told them, whose rows go
 */
export const scrub = async (recorded: Recorded, replay: Replay, leftOut?: ReadonlySet<string>): Promise<Scrubbed> => {
  const first = await finishScrub(await prepareScrub(recorded, replay), replay, leftOut);
  let made = first;
  for (let round = 1; round < mostRounds; round += 1) {
    if ('refused' in made || 'refused' in first) return made;
    const again = readRecording(made.files);
    if (typeof again === 'string') throw new Error(again);
    const next = await finishScrub(await prepareScrub(again, replay), replay);
    if ('refused' in next || differences(made.files, next.files).length === 0) return made;
    made = { ...first, files: next.files };
  }
  return made;
};
