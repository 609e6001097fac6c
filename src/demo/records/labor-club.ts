import { type DemoApplication, studentOneApplications, studentTwoApplications } from './club-directory.ts';
import { finishedSeries } from './labor-activities.ts';
import { club, FIRST_CLUB, RESTORERS, SECOND_CLUB } from './labor-clubs.ts';

/** What the labor club knows about one student at the start. */
export interface StudentLabor {
  readonly finished: number;
  readonly clubs: readonly unknown[];
  readonly applications: readonly DemoApplication[];
  /** Ids of the activities that the student has joined. */
  readonly joined: readonly string[];
  /** Ids of the sign-in items that the student has signed. */
  readonly signed: readonly string[];
}

export const studentOneLabor = (): StudentLabor => ({
  finished: 3,
  clubs: [
    club(FIRST_CLUB, '园艺劳动俱乐部'),
    club(SECOND_CLUB, '木工坊', {
      TypeName: null,
      Ico: null,
      PeopleNum: '60',
      MemberNum: null,
      IsEnable: '1',
      DepartCode: 302,
    }),
  ],
  applications: studentOneApplications(),
  joined: ['3d5f0c52-7f1e-4d1c-9a0e-5f0f6b2a7001', '3d5f0c52-7f1e-4d1c-9a0e-5f0f6b2a7006'],
  signed: ['5e0b6a10-4444-4c1d-8a55-000000000061'],
});

/** More joined activities than a page holds. */
export const studentTwoLabor = (): StudentLabor => ({
  finished: 12,
  clubs: [club(RESTORERS, '古籍修复劳动社', { MemberNum: 24, PeopleNum: 30, Contact: '文华楼 B103' })],
  applications: studentTwoApplications(),
  joined: finishedSeries(),
  signed: [],
});

export const noLabor = (): StudentLabor => ({ finished: 0, clubs: [], applications: [], joined: [], signed: [] });
