import { type TSchema, Type } from '@sinclair/typebox';

const text = Type.String();
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const time = Type.String({ description: 'Campus time as the campus writes it; empty when unknown.' });

export const LDJLBProgressInfo = Type.Object(
  {
    data: Type.Integer({ description: 'Finished activities; ten are needed.' }),
    finish_count: Type.Integer({ description: 'The same number.' }),
    progress_percentage: Type.Number({ description: '0 to 100.' }),
  },
  { title: 'LDJLBProgressInfo' },
);

export const LDJLBPageInfo = Type.Object(
  { TotalItemCount: Type.Integer(), PageSize: Type.Integer(), CurrentPageIndex: Type.Integer() },
  { title: 'LDJLBPageInfo' },
);

export const LDJLBActivity = Type.Object(
  {
    ID: text,
    Ico: nullable(text),
    State: Type.Integer({ description: 'Code of the campus; show `StateName`.' }),
    StateName: text,
    TypeID: text,
    TypeName: text,
    Title: text,
    StartTime: time,
    EndTime: time,
    ChargeUserNo: Type.String({ description: 'Person in charge.' }),
    ChargeUserName: text,
    ClubID: text,
    ClubName: text,
    MemberNum: Type.Integer({ description: 'People who signed up.' }),
    AddTime: time,
    PeopleNum: Type.Integer({ description: 'Places.' }),
    PeopleNumMin: nullable(Type.Integer()),
    IsJson: Type.Union([Type.Boolean(), Type.Null()], { description: 'The caller has joined (spelled so upstream).' }),
    IsClose: nullable(Type.Boolean()),
    SignUpStartTime: time,
    SignUpEndTime: time,
  },
  { title: 'LDJLBActivity' },
);

export const LDJLBActivityListResponse = Type.Object(
  { data: Type.Array(LDJLBActivity), pageInfo: LDJLBPageInfo },
  { title: 'LDJLBActivityListResponse' },
);

export const LDJLBClub = Type.Object(
  {
    ID: text,
    Name: text,
    TypeID: text,
    PeopleNum: Type.Integer({ description: 'Size.' }),
    ProjectID: text,
    PorjectName: Type.String({ description: 'Project name (spelled so upstream).' }),
    TypeName: text,
    Ico: text,
    Desc: nullable(text),
    ChairmanNo: text,
    CairmanName: Type.String({ description: 'Chairman (spelled so upstream).' }),
    DepartCode: text,
    Contact: nullable(text),
    IsEnable: Type.Boolean(),
    DpeartName: Type.String({ description: 'Department (spelled so upstream).' }),
    MemberNum: Type.Integer({ description: 'Members.' }),
  },
  { title: 'LDJLBClub' },
);

export const LDJLBClubListResponse = Type.Object({ data: Type.Array(LDJLBClub) }, { title: 'LDJLBClubListResponse' });

const decisionMembers = {
  code: Type.Integer({ description: '0: accepted.' }),
  msg: Type.String({ description: 'What the campus says; may be empty.' }),
};

export const LDJLBApplyResponse = Type.Object(decisionMembers, { title: 'LDJLBApplyResponse' });

const longitude = '-?(?:180(?:\\.0+)?|(?:1[0-7]\\d|\\d{1,2})(?:\\.\\d+)?)';
const latitude = '-?(?:90(?:\\.0+)?|[0-8]?\\d(?:\\.\\d+)?)';

export const ScanSignRequest = Type.Object(
  {
    content: Type.String({ minLength: 1, maxLength: 4096, description: 'Complete text of the QR code, as scanned.' }),
    location: Type.String({
      maxLength: 200,
      pattern: `^${longitude}[ \\t]*,[ \\t]*${latitude}$`,
      description: '`longitude,latitude` in decimal degrees. Passed on to the campus, kept nowhere.',
    }),
  },
  { title: 'ScanSignRequest' },
);

export const ScanSignResponse = Type.Object(
  {
    ...decisionMembers,
    data: Type.Record(Type.String(), Type.String(), { description: 'What else the campus says about the sign-in.' }),
  },
  { title: 'ScanSignResponse' },
);

export const SignItem = Type.Object(
  {
    ID: text,
    Type: Type.Integer({ description: '1: sign-in.' }),
    TypeName: text,
    StartTime: time,
    EndTime: time,
    IsSign: Type.Boolean(),
    SignTime: Type.String({ description: 'Empty while not signed.' }),
  },
  { title: 'SignItem' },
);

const code = Type.Integer({ description: '0: found. Anything else: refused by the campus.' });

export const SignListResponse = Type.Object({ code, data: Type.Array(SignItem) }, { title: 'SignListResponse' });

export const ClubPath = Type.Object({ club_id: Type.String() });
export const ActivityPath = Type.Object({ activity_id: Type.String() });

export const ClubActivitiesQuery = Type.Object({
  page_index: Type.Integer({ default: 1, minimum: 1, maximum: 2_147_483_647 }),
  page_size: Type.Integer({ default: 100, minimum: 1, maximum: 100 }),
});

export const ApplyQuery = Type.Object({
  reason: Type.String({ default: '加入课程', maxLength: 200, description: 'Shown to those who examine applications.' }),
});
