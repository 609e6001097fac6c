export interface DemoRoom {
  readonly code: string;
  readonly name: string;
}

interface DemoFloor extends DemoRoom {
  readonly rooms: readonly DemoRoom[];
}

interface DemoBuilding extends DemoRoom {
  readonly floors: readonly DemoFloor[];
}

const room = (code: string, name: string): DemoRoom => ({ code, name });

const two = (number: number): string => String(number).padStart(2, '0');

/** Rooms 101, 102 … of a floor, by the usual composition of codes: building, floor, room. */
const floor = (building: string, label: string, number: number, rooms: number): DemoFloor => ({
  code: `${building}${two(number)}`,
  name: `${label}-${number}层`,
  rooms: Array.from({ length: rooms }, (_, i) =>
    room(`${building}${two(number)}${two(i + 1)}`, `${label}-${number}${two(i + 1)}`),
  ),
});

const floors = (building: string, label: string, count: number, rooms: number): readonly DemoFloor[] =>
  Array.from({ length: count }, (_, i) => floor(building, label, i + 1, rooms));

/**
 * Eight buildings as the site delivers them: not in order, one without floors, one whose code begins another one's,
 * floors out of order, a floor without rooms, names with commas and colons.
 */
export const DORMITORIES: readonly DemoBuilding[] = [
  { code: '11', name: '竹园11号学生公寓', floors: floors('11', '11', 6, 8) },
  { code: '01', name: '松园1号学生公寓', floors: floors('01', '1', 6, 8) },
  { code: '35', name: '兰园35号公寓(教师, 访客)', floors: floors('35', 'Z5', 5, 6).toReversed() },
  {
    code: '1',
    name: '研究生公寓',
    floors: [
      { code: '110', name: '十层:北', rooms: [room('11001', '北-1,东'), room('11002', "北-1'西")] },
      { code: '101', name: '一层', rooms: [room('10101', '101')] },
    ],
  },
  { code: '20', name: '在建公寓', floors: [] },
  { code: '02', name: '松园2号学生公寓', floors: floors('02', '2', 6, 8) },
  {
    code: '12',
    name: '竹园12号学生公寓',
    floors: [...floors('12', '12', 5, 8), { code: '1206', name: '12-6层', rooms: [] }],
  },
  { code: '08', name: '梅园8号学生公寓', floors: floors('08', '8', 6, 8) },
];

export const findBuilding = (code: string): DemoBuilding | undefined =>
  DORMITORIES.find((building) => building.code === code);

export const findFloor = (code: string): DemoFloor | undefined =>
  DORMITORIES.flatMap((building) => building.floors).find((candidate) => candidate.code === code);

const ROOMS = DORMITORIES.flatMap((building) => building.floors).flatMap(({ rooms }) => rooms);

/** The room and its number among all rooms, which makes its records its own. */
export const findRoom = (code: string): { readonly room: DemoRoom; readonly number: number } | undefined => {
  const number = ROOMS.findIndex((candidate) => candidate.code === code);
  const room = ROOMS[number];
  return room === undefined ? undefined : { room, number };
};
