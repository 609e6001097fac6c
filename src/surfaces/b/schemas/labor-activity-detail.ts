import { Type } from '@sinclair/typebox';
import { integer, object, orNull, text, textOrNull } from '../../records/atoms.ts';

const time = (what: string) => text(`${what}; campus time as the campus writes it, empty when unknown.`);

export const ActivityDetailData = object('ActivityDetailData', 'An activity.', {
  ID: text('Id of the activity.'),
  Title: text('Its title.'),
  State: integer('Code of its state at the campus.'),
  Ico: textOrNull('Address of its picture; null without one.'),
  TypeID: text('Id of its kind.'),
  TypeName: text('Name of its kind.'),
  StartTime: time('It begins'),
  EndTime: time('It ends'),
  ChargeUserNo: text('Number of the person in charge.'),
  ChargeUserName: text('Name of the person in charge.'),
  ClubID: text('Id of its club.'),
  ClubName: text('Name of its club.'),
  MemberNum: integer('People who signed up.'),
  AddTime: time('It was entered'),
  ApplyIsNeedExam: Type.Boolean({ description: 'Applications are examined.' }),
  IsMember: Type.Boolean({ description: 'The caller has signed up.' }),
  IsManager: Type.Boolean({ description: 'The caller manages the activity.' }),
  PeopleNum: integer('Places.'),
  PeopleNumMin: orNull(Type.Integer(), 'Fewest people; null when not stated.'),
  IsClose: orNull(Type.Boolean(), 'It is closed; null when not stated.'),
  SignUpStartTime: time('Sign-up begins'),
  SignUpEndTime: time('Sign-up ends'),
});

const FormField = object('FormField', 'An item of the form of an activity.', {
  ID: text('Id of the item.'),
  Name: text('What it asks for.'),
  IsMust: Type.Boolean({ description: 'It must be filled in.' }),
  FieldType: integer('Code of its kind at the campus.'),
  Value: text('What was filled in.'),
});

const FlowData = object('FlowData', 'A step of the approval.', {
  ID: text('Id of the step.'),
  IsAdopt: Type.Boolean({ description: 'False also while the step is pending; `ExamTime` is empty then.' }),
  FlowType: integer('Code of its kind at the campus.'),
  FlowTypeName: text('Name of its kind.'),
  UserNo: textOrNull('Number of whoever handed it in; null when not stated.'),
  UserName: text('Name of whoever handed it in.'),
  ExamUserNo: text('Number of whoever decides.'),
  ExamUserName: text('Name of whoever decides.'),
  ExamComment: text('What was said with the decision.'),
  AddTime: time('It was handed in'),
  ExamTime: time('It was decided'),
});

const Teacher = object('Teacher', 'A teacher of an activity.', {
  UserName: text('Name of the teacher.'),
  ID: text('Id of the entry.'),
  ActivityID: text('Id of the activity.'),
  UserNo: text('Number of the teacher.'),
  AddTime: time('It was entered'),
  AddUserNo: text('Number of whoever entered it.'),
});

export const ActivityDetailResponse = object('ActivityDetailResponse', 'All about one activity.', {
  code: integer('0: found. Anything else: refused by the campus, and the rest is empty.'),
  data: orNull(ActivityDetailData, 'Null when refused.'),
  formData: Type.Array(FormField, { description: 'The place is the item named `活动地址`, `活动地点` or `地点`.' }),
  flowData: Type.Array(FlowData, { description: 'Approval steps.' }),
  VenueReserveData: Type.Array(Type.Unknown({ description: 'Of any shape.' }), {
    description: 'Passed on as the campus sends it.',
  }),
  teacherList: Type.Array(Teacher, { description: 'Teachers of the activity.' }),
});
