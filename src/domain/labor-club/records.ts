import { Type } from '@sinclair/typebox';
import { decimal, flag, integer, listOf, object, orNull, type RecordOf, text, textOrNull } from '../record.ts';

// Members are those of the campus, misspelled ones included. Ids are opaque texts.

const time = (example: string) => text('Campus time as the campus writes it; empty when unknown.', example);
const timeOf = (what: string, example: string) =>
  text(`${what}; campus time as the campus writes it, empty when unknown.`, example);

export interface LaborProgress extends RecordOf<typeof LaborProgress> {}
export const LaborProgress = object('LDJLBProgressInfo', 'Progress in the labor club.', {
  data: integer('Finished activities; ten are needed.', 4),
  finish_count: integer('The same number.', 4),
  progress_percentage: decimal('0 to 100.', 40),
});

export interface PageInfo extends RecordOf<typeof PageInfo> {}
export const PageInfo = object('LDJLBPageInfo', 'Which page it is, and of how many rows.', {
  TotalItemCount: integer('Rows on all pages.', 1),
  PageSize: integer('Rows on a page.', 100),
  CurrentPageIndex: integer('This page, from 1.', 1),
});

export interface LaborActivity extends RecordOf<typeof LaborActivity> {}
export const LaborActivity = object('LDJLBActivity', 'An activity of the labor club.', {
  ID: text('Id of the activity.', 'a1'),
  Ico: textOrNull('Address of its picture; null without one.', null),
  State: integer('Code of the campus; show `StateName`.', 1),
  StateName: text('Its state, e.g. `报名中`.', '报名中'),
  TypeID: text('Id of its kind.', 't1'),
  TypeName: text('Name of its kind.', '示例类型'),
  Title: text('Its title.', '示例劳动'),
  StartTime: time('2099-09-10 14:00'),
  EndTime: time('2099-09-10 16:00'),
  ChargeUserNo: text('Number of the person in charge.', 'T001'),
  ChargeUserName: text('Name of the person in charge.', '王老师'),
  ClubID: text('Id of its club.', 'c1'),
  ClubName: text('Name of its club.', '示例俱乐部'),
  MemberNum: integer('People who signed up.', 3),
  AddTime: time('2099-09-01 09:00'),
  PeopleNum: integer('Places.', 20),
  PeopleNumMin: orNull(Type.Integer(), 'Fewest people; null when not stated.', null),
  IsJson: orNull(Type.Boolean(), 'The caller has joined (spelled so upstream).', true),
  IsClose: orNull(Type.Boolean(), 'It is closed; null when not stated.', false),
  SignUpStartTime: time('2099-09-01 10:00'),
  SignUpEndTime: time('2099-09-09 18:00'),
});

export interface LaborActivities extends RecordOf<typeof LaborActivities> {}
export const LaborActivities = object('LDJLBActivityListResponse', 'One page of activities.', {
  data: listOf(LaborActivity, 'The activities of this page.'),
  pageInfo: PageInfo,
});

export interface JoinedClub extends RecordOf<typeof JoinedClub> {}
export const JoinedClub = object('LDJLBClub', 'A labor club.', {
  ID: text('Id of the club.', 'c1'),
  Name: text('Its name.', '示例俱乐部'),
  TypeID: text('Id of its kind.', 't1'),
  PeopleNum: integer('Places.', 50),
  ProjectID: text('Id of its project.', 'p1'),
  PorjectName: text('Project name (spelled so upstream).', '示例项目'),
  TypeName: text('Name of its kind.', '示例类型'),
  Ico: text('Address of its picture; may be empty.', ''),
  Desc: textOrNull('What it is about; null when not stated.', null),
  ChairmanNo: text('Number of the chairman.', 'T001'),
  CairmanName: text('Chairman (spelled so upstream).', '王老师'),
  DepartCode: text('Code of the department.', 'D1'),
  Contact: textOrNull('How to reach it; null when not stated.', null),
  IsEnable: flag('It is active.', true),
  DpeartName: text('Department (spelled so upstream).', '示例部门'),
  MemberNum: integer('Members.', 12),
});

export interface JoinedClubs extends RecordOf<typeof JoinedClubs> {}
export const JoinedClubs = object('LDJLBClubListResponse', 'Labor clubs.', {
  data: listOf(JoinedClub, 'In the order of the campus.'),
});

export interface DirectoryClub extends RecordOf<typeof DirectoryClub> {}
export const DirectoryClub = object('LDJLBClubEntry', 'A club of the directory.', {
  ID: text('Id of the club.', 'c1'),
  Name: text('Its name.', '示例劳动俱乐部'),
  TypeID: text('Id of its kind.', 't1'),
  TypeName: text('Name of its kind.', '综合劳动'),
  ProjectID: text('Id of its project.', 'p1'),
  PorjectName: text('Project name (spelled so upstream).', '劳动实践'),
  PeopleNum: integer('Places. More members than that do not close a club.', 100),
  MemberNum: integer('Members.', 101),
  Ico: textOrNull('Address of its picture; null without one.', null),
  Desc: textOrNull('What it is about; null when not stated.', null),
  IsEnable: flag('It can be applied for.', true),
  IsJoin: flag('The caller is a member.', false),
});

export interface ClubDirectory extends RecordOf<typeof ClubDirectory> {}
export const ClubDirectory = object('LDJLBClubDirectory', 'One page of the clubs.', {
  data: listOf(DirectoryClub, 'The clubs of this page.'),
  pageInfo: PageInfo,
});

/** Its status is worked out for each answer. */
export interface ClubApplication extends RecordOf<typeof ClubApplication> {}
export const ClubApplication = Type.Object({
  ID: text('Id of the application.', 'apply-1'),
  ClubID: text('Id of the club.', 'c1'),
  ClubName: text('Name of the club.', '示例劳动俱乐部'),
  Reason: text('What the caller wrote.', '希望参与劳动实践'),
  AddTime: text(
    'When, as the campus writes it; a `T` may stand between date and time. Empty when unknown.',
    '2026-03-17 12:30:00',
  ),
  ReplyComment: text('What was answered; may be empty.', '同意加入'),
  IsAgree: orNull(Type.Boolean(), 'What was decided; null: nothing yet.', true),
  StateName: text('State in the words of the campus; may be empty.', ''),
});

export interface JudgedApplication extends RecordOf<typeof JudgedApplication> {}
export const JudgedApplication = object('LDJLBClubApplication', 'An application for a club.', {
  ...ClubApplication.properties,
  status: Type.Union([Type.Literal('approved'), Type.Literal('rejected'), Type.Literal('pending')], {
    description: 'What has become of it. One that has lapsed is `rejected`.',
  }),
});

export interface SignItem extends RecordOf<typeof SignItem> {}
export const SignItem = object('SignItem', 'A sign-in of an activity.', {
  ID: text('Id of the item.', 's1'),
  Type: integer('1: sign-in.', 1),
  TypeName: text('Name of its kind, e.g. `签到`.', '签到'),
  StartTime: time('2099-09-10 13:50'),
  EndTime: time('2099-09-10 14:10'),
  IsSign: flag('The caller has signed.', false),
  SignTime: text('Empty while not signed.', ''),
});

export interface SignItems extends RecordOf<typeof SignItems> {}
export const SignItems = object('SignListResponse', 'The sign-ins of an activity.', {
  code: integer('0: found. Anything else: refused by the campus.', 0),
  data: listOf(SignItem, 'In the order of the campus.'),
});

export const ActivityFacts = object('ActivityDetailData', 'An activity.', {
  ID: text('Id of the activity.', 'a1'),
  Title: text('Its title.', '示例劳动'),
  State: integer('Code of its state at the campus.', 1),
  Ico: textOrNull('Address of its picture; null without one.', null),
  TypeID: text('Id of its kind.', 't1'),
  TypeName: text('Name of its kind.', '示例类型'),
  StartTime: timeOf('It begins', '2099-09-10 14:00'),
  EndTime: timeOf('It ends', '2099-09-10 16:00'),
  ChargeUserNo: text('Number of the person in charge.', 'T001'),
  ChargeUserName: text('Name of the person in charge.', '王老师'),
  ClubID: text('Id of its club.', 'c1'),
  ClubName: text('Name of its club.', '示例俱乐部'),
  MemberNum: integer('People who signed up.', 3),
  AddTime: timeOf('It was entered', '2099-09-01 09:00'),
  ApplyIsNeedExam: flag('Applications are examined.', false),
  IsMember: flag('The caller has signed up.', true),
  IsManager: flag('The caller manages the activity.', false),
  PeopleNum: integer('Places.', 20),
  PeopleNumMin: orNull(Type.Integer(), 'Fewest people; null when not stated.', null),
  IsClose: orNull(Type.Boolean(), 'It is closed; null when not stated.', false),
  SignUpStartTime: timeOf('Sign-up begins', '2099-09-01 10:00'),
  SignUpEndTime: timeOf('Sign-up ends', '2099-09-09 18:00'),
});

export const FormField = object('FormField', 'An item of the form of an activity.', {
  ID: text('Id of the item.', 'f1'),
  Name: text('What it asks for.', '活动地址'),
  IsMust: flag('It must be filled in.', true),
  FieldType: integer('Code of its kind at the campus.', 1),
  Value: text('What was filled in.', '一号楼101'),
});

export const ApprovalStep = object('FlowData', 'A step of the approval.', {
  ID: text('Id of the step.', 'w1'),
  IsAdopt: flag('False also while the step is pending; `ExamTime` is empty then.', true),
  FlowType: integer('Code of its kind at the campus.', 1),
  FlowTypeName: text('Name of its kind.', '部门审批'),
  UserNo: textOrNull('Number of the person who handed it in; null when not stated.', 'T001'),
  UserName: text('Name of the person who handed it in.', '王老师'),
  ExamUserNo: text('Number of the person who decides.', 'T002'),
  ExamUserName: text('Name of the person who decides.', '李老师'),
  ExamComment: text('What was said with the decision.', '同意'),
  AddTime: timeOf('It was handed in', '2099-08-20 09:00'),
  ExamTime: timeOf('It was decided', '2099-08-21 09:00'),
});

export const ActivityTeacher = object('Teacher', 'A teacher of an activity.', {
  UserName: text('Name of the teacher.', '王老师'),
  ID: text('Id of the entry.', 'r1'),
  ActivityID: text('Id of the activity.', 'a1'),
  UserNo: text('Number of the teacher.', 'T001'),
  AddTime: timeOf('It was entered', '2099-09-01 09:00'),
  AddUserNo: text('Number of the person who entered it.', 'T001'),
});

export interface ActivityDetail extends RecordOf<typeof ActivityDetail> {}
export const ActivityDetail = object('ActivityDetailResponse', 'All about one activity.', {
  code: integer('0: found. Anything else: refused by the campus, and the rest is empty.', 0),
  data: orNull(ActivityFacts, 'Null when refused.'),
  formData: listOf(FormField, 'The place is the item named `活动地址`, `活动地点` or `地点`.'),
  flowData: listOf(ApprovalStep, 'Approval steps.'),
  VenueReserveData: Type.Array(Type.Unknown({ description: 'Of any shape.' }), {
    description: 'Passed on as the campus sends it.',
    examples: [[]],
  }),
  teacherList: listOf(ActivityTeacher, 'Teachers of the activity.'),
});
