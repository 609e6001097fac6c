import { Type } from '@sinclair/typebox';

const text = Type.String();
const nullableText = Type.Union([Type.String(), Type.Null()]);

export const ActivityDetailData = Type.Object(
  {
    ID: text,
    Title: text,
    State: Type.Integer(),
    Ico: nullableText,
    TypeID: text,
    TypeName: text,
    StartTime: text,
    EndTime: text,
    ChargeUserNo: text,
    ChargeUserName: text,
    ClubID: text,
    ClubName: text,
    MemberNum: Type.Integer(),
    AddTime: text,
    ApplyIsNeedExam: Type.Boolean({ description: 'Applications are examined.' }),
    IsMember: Type.Boolean(),
    IsManager: Type.Boolean(),
    PeopleNum: Type.Integer(),
    PeopleNumMin: Type.Union([Type.Integer(), Type.Null()]),
    IsClose: Type.Union([Type.Boolean(), Type.Null()]),
    SignUpStartTime: text,
    SignUpEndTime: text,
  },
  { title: 'ActivityDetailData' },
);

export const FormField = Type.Object(
  { ID: text, Name: text, IsMust: Type.Boolean(), FieldType: Type.Integer(), Value: text },
  { title: 'FormField' },
);

export const FlowData = Type.Object(
  {
    ID: text,
    IsAdopt: Type.Boolean({ description: 'False also while the step is pending; `ExamTime` is empty then.' }),
    FlowType: Type.Integer(),
    FlowTypeName: text,
    UserNo: nullableText,
    UserName: text,
    ExamUserNo: text,
    ExamUserName: text,
    ExamComment: text,
    AddTime: text,
    ExamTime: text,
  },
  { title: 'FlowData' },
);

export const Teacher = Type.Object(
  { UserName: text, ID: text, ActivityID: text, UserNo: text, AddTime: text, AddUserNo: text },
  { title: 'Teacher' },
);

export const ActivityDetailResponse = Type.Object(
  {
    code: Type.Integer({ description: '0: found. Anything else: refused by the campus, and the rest is empty.' }),
    data: Type.Union([ActivityDetailData, Type.Null()]),
    formData: Type.Array(FormField, { description: 'The place is the item named `活动地址`, `活动地点` or `地点`.' }),
    flowData: Type.Array(FlowData, { description: 'Approval steps.' }),
    VenueReserveData: Type.Array(Type.Unknown(), { description: 'Passed on as the campus sends it.' }),
    teacherList: Type.Array(Teacher),
  },
  { title: 'ActivityDetailResponse' },
);
