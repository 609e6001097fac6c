/** Numbers of the three clubs. */
export const FIRST_CLUB = 10;
export const SECOND_CLUB = 11;
export const RESTORERS = 20;

export const clubId = (number: number): string => `c4e2a9d0-2222-4a11-b6c7-0000000000${number}`;

export const clubNames: ReadonlyMap<number, string> = new Map([
  [FIRST_CLUB, '园艺劳动俱乐部'],
  [SECOND_CLUB, '木工坊'],
  [RESTORERS, '古籍修复劳动社'],
]);

/** A club as the list of a member's clubs shows it; three member names are misspelled by the application. */
export const club = (number: number, name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ID: clubId(number),
  Name: name,
  TypeID: '0b7a4c1e-1111-4c53-8f0e-000000000009',
  PeopleNum: 200,
  ProjectID: '9a8b7c6d-3333-4b22-9d11-000000000003',
  PorjectName: '劳动教育',
  TypeName: '校级',
  Ico: `/upload/club/${number}.png`,
  Desc: null,
  ChairmanNo: `T10${number}`,
  CairmanName: '梁秋',
  DepartCode: '0301',
  Contact: null,
  IsEnable: true,
  DpeartName: '后勤中心',
  MemberNum: 156,
  ...more,
});
