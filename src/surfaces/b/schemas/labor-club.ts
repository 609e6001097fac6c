import { type TSchema, Type } from '@sinclair/typebox';

const text = (description: string) => Type.String({ description });
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const time = Type.String({ description: 'Campus time as the campus writes it; empty when unknown.' });

export const LDJLBProgressInfo = Type.Object(
  {
    data: Type.Integer({ description: 'Finished activities; ten are needed.' }),
    finish_count: Type.Integer({ description: 'The same number.' }),
    progress_percentage: Type.Number({ description: '0 to 100.' }),
  },
  { title: 'LDJLBProgressInfo', description: 'Progress in the labor club.' },
);

export const LDJLBPageInfo = Type.Object(
  {
    TotalItemCount: Type.Integer({ description: 'Activities on all pages.' }),
    PageSize: Type.Integer({ description: 'Activities on a page.' }),
    CurrentPageIndex: Type.Integer({ description: 'This page, from 1.' }),
  },
  { title: 'LDJLBPageInfo', description: 'Which page it is, and of how many activities.' },
);

export const LDJLBActivity = Type.Object(
  {
    ID: text('Id of the activity.'),
    Ico: nullable(Type.String(), 'Address of its picture; null without one.'),
    State: Type.Integer({ description: 'Code of the campus; show `StateName`.' }),
    StateName: text('Its state, e.g. `报名中`.'),
    TypeID: text('Id of its kind.'),
    TypeName: text('Name of its kind.'),
    Title: text('Its title.'),
    StartTime: time,
    EndTime: time,
    ChargeUserNo: Type.String({ description: 'Number of the person in charge.' }),
    ChargeUserName: text('Name of the person in charge.'),
    ClubID: text('Id of its club.'),
    ClubName: text('Name of its club.'),
    MemberNum: Type.Integer({ description: 'People who signed up.' }),
    AddTime: time,
    PeopleNum: Type.Integer({ description: 'Places.' }),
    PeopleNumMin: nullable(Type.Integer(), 'Fewest people; null when not stated.'),
    IsJson: Type.Union([Type.Boolean(), Type.Null()], { description: 'The caller has joined (spelled so upstream).' }),
    IsClose: nullable(Type.Boolean(), 'It is closed; null when not stated.'),
    SignUpStartTime: time,
    SignUpEndTime: time,
  },
  { title: 'LDJLBActivity', description: 'An activity of the labor club.' },
);

export const LDJLBActivityListResponse = Type.Object(
  { data: Type.Array(LDJLBActivity, { description: 'The activities of this page.' }), pageInfo: LDJLBPageInfo },
  { title: 'LDJLBActivityListResponse', description: 'One page of activities.' },
);

export const LDJLBClub = Type.Object(
  {
    ID: text('Id of the club.'),
    Name: text('Its name.'),
    TypeID: text('Id of its kind.'),
    PeopleNum: Type.Integer({ description: 'Places.' }),
    ProjectID: text('Id of its project.'),
    PorjectName: Type.String({ description: 'Project name (spelled so upstream).' }),
    TypeName: text('Name of its kind.'),
    Ico: text('Address of its picture; may be empty.'),
    Desc: nullable(Type.String(), 'What it is about; null when not stated.'),
    ChairmanNo: text('Number of the chairman.'),
    CairmanName: Type.String({ description: 'Chairman (spelled so upstream).' }),
    DepartCode: text('Code of the department.'),
    Contact: nullable(Type.String(), 'How to reach it; null when not stated.'),
    IsEnable: Type.Boolean({ description: 'It is active.' }),
    DpeartName: Type.String({ description: 'Department (spelled so upstream).' }),
    MemberNum: Type.Integer({ description: 'Members.' }),
  },
  { title: 'LDJLBClub', description: 'A labor club.' },
);

export const LDJLBClubListResponse = Type.Object(
  { data: Type.Array(LDJLBClub, { description: 'In the order of the campus.' }) },
  { title: 'LDJLBClubListResponse', description: 'Labor clubs.' },
);

const decisionMembers = {
  code: Type.Integer({ description: '0: accepted.' }),
  msg: Type.String({ description: 'What the campus says; may be empty.' }),
};

export const LDJLBApplyResponse = Type.Object(decisionMembers, {
  title: 'LDJLBApplyResponse',
  description: 'What the campus decided.',
});

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
  { title: 'ScanSignRequest', description: 'A scanned code and where it was scanned.' },
);

export const ScanSignResponse = Type.Object(
  {
    ...decisionMembers,
    data: Type.Record(Type.String(), Type.String(), { description: 'What else the campus says about the sign-in.' }),
  },
  { title: 'ScanSignResponse', description: 'What the campus decided.' },
);

export const SignItem = Type.Object(
  {
    ID: text('Id of the item.'),
    Type: Type.Integer({ description: '1: sign-in.' }),
    TypeName: text('Name of its kind, e.g. `签到`.'),
    StartTime: time,
    EndTime: time,
    IsSign: Type.Boolean({ description: 'The caller has signed.' }),
    SignTime: Type.String({ description: 'Empty while not signed.' }),
  },
  { title: 'SignItem', description: 'A sign-in of an activity.' },
);

const code = Type.Integer({ description: '0: found. Anything else: refused by the campus.' });

export const SignListResponse = Type.Object(
  { code, data: Type.Array(SignItem, { description: 'In the order of the campus.' }) },
  { title: 'SignListResponse', description: 'The sign-ins of an activity.' },
);

export const ClubPath = Type.Object({
  club_id: Type.String({ description: 'Id of a club, from the list of joined clubs.' }),
});
export const ActivityPath = Type.Object({
  activity_id: Type.String({ description: 'Id of an activity, from a list of activities.' }),
});

export const ClubActivitiesQuery = Type.Object({
  page_index: Type.Integer({ default: 1, minimum: 1, maximum: 2_147_483_647, description: 'Page, from 1.' }),
  page_size: Type.Integer({ default: 100, minimum: 1, maximum: 100, description: 'Activities on a page.' }),
});

export const ApplyQuery = Type.Object({
  reason: Type.String({ default: '加入课程', maxLength: 200, description: 'Shown to those who examine applications.' }),
});
