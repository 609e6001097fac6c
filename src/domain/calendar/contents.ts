import { Type } from '@sinclair/typebox';
import { nullable, stateReader, storedRecord, withDefault } from '../record.ts';
import type { Versions } from './build.ts';
import { type FeedPart, type FeedSources, feedKinds, feedParts, sourceShapes } from './kinds.ts';

/** Grows when the code makes another calendar of the same copies, or stores another form. */
const FORM = 1;

/** What a feed stores of its last calendar. */
export interface FeedContents {
  readonly form: string;
  readonly sources: FeedSources;
  readonly versions: Versions;
}

export const contentsForm = `${FORM} ${sourceShapes}`;

const sourceOf = (part: FeedPart) =>
  storedRecord<'value' | 'term' | 'readAt'>()({
    value: feedKinds[part].stored,
    term: Type.String(),
    readAt: Type.Number(),
    emptySince: nullable(Type.Number()),
  });

const contentsIn = stateReader(
  storedRecord<'form' | 'sources' | 'versions'>()({
    form: Type.String(),
    sources: Type.Object(
      Object.fromEntries(feedParts.map((part) => [part, withDefault(nullable(sourceOf(part)), null)])),
    ),
    versions: storedRecord<'changedAt' | 'events'>()({
      changedAt: Type.Number(),
      events: Type.Record(Type.String(), Type.Tuple([Type.String(), Type.Number(), Type.Number()])),
    }),
  }),
);

/**
 * Null for contents of which a member means something else in this version. What another version only lacked is filled
 * in, down to the kinds that it did not know.
 */
export const contentsOf = (text: string | null): FeedContents | null => {
  const contents = text === null ? null : contentsIn(text);
  return contents && `${contentsForm}.`.startsWith(`${contents.form}.`) ? (contents as FeedContents) : null;
};
