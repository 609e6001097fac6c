import type { RoomDraft } from '../../domain/electricity/ports.ts';
import type { Building, CodeName } from '../../domain/electricity/types.ts';
import { Failure } from '../../domain/errors.ts';

/** Plain order of characters: the same on every machine, whatever its language. */
const byCode = (a: CodeName, b: CodeName): number => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);

export const isComplete = ({ buildings, floors, rooms }: RoomDraft): boolean =>
  buildings?.every(({ code }) => floors.get(code)?.every((floor) => rooms.has(floor.code)) ?? false) ?? false;

/**
 * The tree of a complete draft: buildings and floors by code, rooms as delivered. Buildings without a floor are left
 * out, floors without rooms stay.
 * @throws Failure `upstream-empty` when nothing is left
 */
export const treeOf = ({ buildings, floors, rooms }: RoomDraft): readonly Building[] => {
  const tree = (buildings ?? [])
    .map((building) => ({
      ...building,
      floors: (floors.get(building.code) ?? [])
        .map((floor) => ({ ...floor, rooms: rooms.get(floor.code) ?? [] }))
        .toSorted(byCode),
    }))
    .filter((building) => building.floors.length > 0)
    .toSorted(byCode);
  if (tree.length === 0) throw new Failure('upstream-empty', { system: 'electricity', reason: 'no rooms at all' });
  return tree;
};
