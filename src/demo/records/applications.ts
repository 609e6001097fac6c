/** Activity score and labor club records of one student, as the two applications send them under `data`. */
export interface StudentApplications {
  readonly activityTotal: unknown;
  readonly joinedClubs: unknown;
}

const club = (number: number, name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ID: `c4e2a9d0-2222-4a11-b6c7-0000000000${number}`,
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

export const studentOneApplications = (): StudentApplications => ({
  activityTotal: { TotalScore: '83.5', IsTypeAdopt: 0, TypeAdoptResult: '劳动实践类得分未达到最低要求' },
  joinedClubs: [
    club(10, '园艺劳动俱乐部'),
    club(11, '木工坊', { TypeName: null, Ico: null, PeopleNum: '60', MemberNum: null, IsEnable: '1', DepartCode: 302 }),
  ],
});

export const studentTwoApplications = (): StudentApplications => ({
  activityTotal: { TotalScore: 112, IsTypeAdopt: true, TypeAdoptResult: '' },
  joinedClubs: [club(20, '古籍修复劳动社', { MemberNum: 24, PeopleNum: 30, Contact: '文华楼 B103' })],
});
