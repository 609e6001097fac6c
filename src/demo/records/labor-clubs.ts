export interface DemoClub {
  readonly id: string;
  readonly name: string;
  readonly places: number;
  readonly members: number;
  readonly closed: boolean;
  readonly icon: string | null;
  readonly text: string | null;
  readonly contact: string | null;
}

/** Numbers of the three clubs that have activities. */
export const FIRST_CLUB = 10;
export const SECOND_CLUB = 11;
export const RESTORERS = 20;

export const clubId = (number: number): string => `c4e2a9d0-2222-4a11-b6c7-0000000000${number}`;

const ACTIVE: ReadonlyMap<number, Omit<DemoClub, 'id' | 'closed' | 'icon' | 'text'> & { readonly meets: string }> =
  new Map([
    [FIRST_CLUB, { name: '园艺劳动俱乐部', places: 200, members: 156, meets: '图书馆二楼', contact: null }],
    [SECOND_CLUB, { name: '木工坊', places: 60, members: 41, meets: '致知楼 101', contact: null }],
    [RESTORERS, { name: '古籍修复劳动社', places: 30, members: 24, meets: '文华楼 B103', contact: '文华楼 B103' }],
  ]);

export const clubOf = (number: number) => ACTIVE.get(number) ?? { name: '', meets: '' };

const numberName = (number: number): string => `d7f1b3a8-5555-4c22-9e10-000000000${String(number).padStart(3, '0')}`;

/** Numbers of clubs in the series: one that is closed, one with an open application. */
export const CLOSED_CLUB = numberName(4);
export const APPLIED_CLUB = numberName(2);
export const clubInSeries = numberName;

const kinds = [
  { name: '校园清洁', places: 100, members: 40 },
  { name: '食堂帮厨 <A&B>', places: 80, members: 80 },
  { name: 'Maker 工坊', places: 60, members: 61 },
  { name: '陶艺', places: 30, members: 12, closed: true },
  { name: 'GREEN 种植园', places: 200, members: 3 },
] as const;
const SERIES = 230;

/** More than two pages of them; the three that have activities come first. */
export const clubDirectory = (): DemoClub[] => [
  ...[...ACTIVE].map(([number, { meets: _, ...club }]) => {
    return { id: clubId(number), ...club, closed: false, icon: `/upload/club/${number}.png`, text: null };
  }),
  ...Array.from({ length: SERIES }, (_, at) => {
    const { name, places, members, ...more } = kinds[at % kinds.length] ?? kinds[0];
    const icon = at % 2 === 0 ? `/upload/club/${at + 3}.png` : null;
    const text = at % 5 === 2 ? '欢迎加入' : null;
    return {
      id: numberName(at + 1),
      name: `${name}${at + 1}`,
      places,
      members,
      closed: 'closed' in more,
      icon,
      text,
      contact: null,
    };
  }),
];
