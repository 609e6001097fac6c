import { type DemoActivity, type DemoSignItem, timeText } from '../records/labor-activities.ts';
import { clubId, clubOf } from '../records/labor-clubs.ts';
import type { DemoStudent } from '../students.ts';
import type { LaborWorld } from './world.ts';

const LEADER = { ChargeUserNo: 'T1024', ChargeUserName: '梁秋' };
const DAY_MS = 24 * 60 * 60_000;

const stateOf = (activity: DemoActivity, members: number, now: number): readonly [code: number, name: string] => {
  if (activity.closed) return [9, '已关闭'];
  if (now < activity.signUpFrom) return [1, '未开始'];
  if (now <= activity.signUpUntil) return members < activity.places ? [2, '报名中'] : [3, '已报满'];
  if (now < activity.startsAt) return [4, '报名结束'];
  return now <= activity.endsAt ? [5, '进行中'] : [6, '已结束'];
};

/** A student with odd records is sent the same fact as text, number, boolean or null, by activity. */
const flag = ({ labor }: DemoStudent, value: boolean, activity: DemoActivity): unknown => {
  if (!labor.isOdd) return value ? '1' : '0';
  const forms = value ? ['1', 1, true, 'true'] : ['0', 0, false, null];
  return forms[Number(activity.id.slice(-1)) % forms.length];
};

const common = (world: LaborWorld, student: DemoStudent, activity: DemoActivity, now: number) => {
  const [State] = stateOf(activity, world.members(activity), now);
  return {
    ID: activity.id,
    Ico: null,
    State,
    TypeID: '0b7a4c1e-1111-4c53-8f0e-000000000001',
    TypeName: '校园服务',
    Title: activity.title,
    StartTime: timeText(activity.startsAt),
    EndTime: timeText(activity.endsAt),
    ...LEADER,
    ClubID: clubId(activity.club),
    ClubName: clubOf(activity.club).name,
    MemberNum: world.members(activity),
    AddTime: timeText(activity.signUpFrom - DAY_MS),
    PeopleNum: activity.places,
    PeopleNumMin: activity.fewest,
    IsClose: flag(student, activity.closed, activity),
    SignUpStartTime: timeText(activity.signUpFrom),
    SignUpEndTime: timeText(activity.signUpUntil),
  };
};

export const activityRow = (world: LaborWorld, student: DemoStudent, activity: DemoActivity, now: number) => ({
  ...common(world, student, activity, now),
  StateName: stateOf(activity, world.members(activity), now)[1],
  IsJson: flag(student, world.hasJoined(student, activity.id), activity),
});

export const signRow = (world: LaborWorld, student: DemoStudent, item: DemoSignItem) => {
  const at = world.signTime(student, item);
  return {
    ID: item.id,
    Type: 1,
    TypeName: '签到',
    StartTime: timeText(item.from),
    EndTime: timeText(item.to),
    IsSign: at !== null,
    SignTime: at === null ? null : timeText(at),
  };
};

const step = (number: number, name: string, more: Readonly<Record<string, unknown>>) => ({
  ID: `e0000000-6666-4000-8000-00000000000${number}`,
  FlowType: number,
  FlowTypeName: name,
  UserNo: null,
  UserName: LEADER.ChargeUserName,
  ...more,
});

/** The approval of an activity: one whose applications are examined still waits for its second step. */
const approvalOf = (activity: DemoActivity) => {
  const addedAt = activity.signUpFrom - DAY_MS;
  const teacher = step(1, '指导老师审核', {
    IsAdopt: true,
    ExamUserNo: 'T2048',
    ExamUserName: '周宁',
    ExamComment: '同意',
    AddTime: timeText(addedAt),
    ExamTime: timeText(addedAt + 6 * 60 * 60_000),
  });
  const pending = step(2, '院系审核', {
    IsAdopt: null,
    ExamUserNo: null,
    ExamUserName: null,
    ExamComment: null,
    AddTime: timeText(addedAt),
    ExamTime: null,
  });
  return activity.needsExamination ? [teacher, pending] : [teacher];
};

/** The detail answer: four lists beside `data`, some of them null. */
export const detailOf = (world: LaborWorld, student: DemoStudent, activity: DemoActivity, now: number) => {
  const { meets } = clubOf(activity.club);
  const noVenue = student.labor.isOdd ? null : [];
  const field = (number: number, Name: string, Value: unknown) => ({
    ID: `f0000000-5555-4000-8000-00000000000${number}`,
    Name,
    IsMust: number === 1,
    FieldType: number,
    Value,
  });
  return {
    data: {
      ...common(world, student, activity, now),
      ApplyIsNeedExam: activity.needsExamination,
      IsMember: world.hasJoined(student, activity.id),
      IsManager: false,
      SignList: [],
    },
    formData: [
      field(1, '活动地址', meets),
      field(2, '活动内容', student.labor.isOdd && activity.needsExamination ? null : activity.title),
    ],
    flowData: approvalOf(activity),
    VenueReserveData: activity.signItems.length > 0 ? [{ VenueName: meets, Floor: 2 }] : noVenue,
    teacherList: [
      {
        ID: 'd0000000-7777-4000-8000-000000000001',
        ActivityID: activity.id,
        UserNo: LEADER.ChargeUserNo,
        UserName: LEADER.ChargeUserName,
        AddTime: timeText(activity.signUpFrom - DAY_MS),
        AddUserNo: LEADER.ChargeUserNo,
      },
    ],
  };
};
