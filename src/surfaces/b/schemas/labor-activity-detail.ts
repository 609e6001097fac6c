import { Type } from '@sinclair/typebox';

const text = (description: string) => Type.String({ description });
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const integer = (description: string) => Type.Integer({ description });
const time = (what: string) => text(`${what}; campus time as the campus writes it, empty when unknown.`);

export const ActivityDetailData = Type.Object(
  {
    ID: text('Id of the activity.'),
    Title: text('Its title.'),
    State: integer('Code of its state at the campus.'),
    Ico: nullableText('Address of its picture; null without one.'),
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
    PeopleNumMin: Type.Union([Type.Integer(), Type.Null()], { description: 'Fewest people; null when not stated.' }),
    IsClose: Type.Union([Type.Boolean(), Type.Null()], { description: 'It is closed; null when not stated.' }),
    SignUpStartTime: time('Sign-up begins'),
    SignUpEndTime: time('Sign-up ends'),
  },
  { title: 'ActivityDetailData', description: 'An activity.' },
);

export const FormField = Type.Object(
  {
    ID: text('Id of the item.'),
    Name: text('What it asks for.'),
    IsMust: Type.Boolean({ description: 'It must be filled in.' }),
    FieldType: integer('Code of its kind at the campus.'),
    Value: text('What was filled in.'),
  },
  { title: 'FormField', description: 'An item of the form of an activity.' },
);

export const FlowData = Type.Object(
  {
    ID: text('Id of the step.'),
    IsAdopt: Type.Boolean({ description: 'False also while the step is pending; `ExamTime` is empty then.' }),
    FlowType: integer('Code of its kind at the campus.'),
    FlowTypeName: text('Name of its kind.'),
    UserNo: nullableText('Number of whoever handed it in; null when not stated.'),
    UserName: text('Name of whoever handed it in.'),
    ExamUserNo: text('Number of whoever decides.'),
    ExamUserName: text('Name of whoever decides.'),
    ExamComment: text('What was said with the decision.'),
    AddTime: time('It was handed in'),
    ExamTime: time('It was decided'),
  },
  { title: 'FlowData', description: 'A step of the approval.' },
);

export const Teacher = Type.Object(
  {
    UserName: text('Name of the teacher.'),
    ID: text('Id of the entry.'),
    ActivityID: text('Id of the activity.'),
    UserNo: text('Number of the teacher.'),
    AddTime: time('It was entered'),
    AddUserNo: text('Number of whoever entered it.'),
  },
  { title: 'Teacher', description: 'A teacher of an activity.' },
);

export const ActivityDetailResponse = Type.Object(
  {
    code: Type.Integer({ description: '0: found. Anything else: refused by the campus, and the rest is empty.' }),
    data: Type.Union([ActivityDetailData, Type.Null()], { description: 'Null when refused.' }),
    formData: Type.Array(FormField, { description: 'The place is the item named `活动地址`, `活动地点` or `地点`.' }),
    flowData: Type.Array(FlowData, { description: 'Approval steps.' }),
    VenueReserveData: Type.Array(Type.Unknown({ description: 'Of any shape.' }), {
      description: 'Passed on as the campus sends it.',
    }),
    teacherList: Type.Array(Teacher, { description: 'Teachers of the activity.' }),
  },
  { title: 'ActivityDetailResponse', description: 'All about one activity.' },
);
