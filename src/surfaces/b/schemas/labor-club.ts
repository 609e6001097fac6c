import { type TSchema, Type } from '@sinclair/typebox';
import { trimmed } from '../../../platform/findings.ts';

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
    TotalItemCount: Type.Integer({ description: 'Rows on all pages.' }),
    PageSize: Type.Integer({ description: 'Rows on a page.' }),
    CurrentPageIndex: Type.Integer({ description: 'This page, from 1.' }),
  },
  { title: 'LDJLBPageInfo', description: 'Which page it is, and of how many rows.' },
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

export const LDJLBClubEntry = Type.Object(
  {
    ID: text('Id of the club.'),
    Name: text('Its name.'),
    TypeID: text('Id of its kind.'),
    TypeName: text('Name of its kind.'),
    ProjectID: text('Id of its project.'),
    PorjectName: text('Project name (spelled so upstream).'),
    PeopleNum: Type.Integer({ description: 'Places. More members than that do not close a club.' }),
    MemberNum: Type.Integer({ description: 'Members.' }),
    Ico: nullable(Type.String(), 'Address of its picture; null without one.'),
    Desc: nullable(Type.String(), 'What it is about; null when not stated.'),
    IsEnable: Type.Boolean({ description: 'It can be applied for.' }),
    IsJoin: Type.Boolean({ description: 'The caller is a member.' }),
  },
  { title: 'LDJLBClubEntry', description: 'A club of the directory.' },
);

export const LDJLBClubDirectory = Type.Object(
  { data: Type.Array(LDJLBClubEntry, { description: 'The clubs of this page.' }), pageInfo: LDJLBPageInfo },
  { title: 'LDJLBClubDirectory', description: 'One page of the clubs.' },
);

export const LDJLBClubApplication = Type.Object(
  {
    ID: text('Id of the application.'),
    ClubID: text('Id of the club.'),
    ClubName: text('Name of the club.'),
    Reason: text('What the caller wrote.'),
    AddTime: text('When, as the campus writes it; a `T` may stand between date and time. Empty when unknown.'),
    ReplyComment: text('What was answered; may be empty.'),
    IsAgree: nullable(Type.Boolean(), 'What was decided; null while nobody has.'),
    StateName: text('State in the words of the campus; may be empty.'),
    status: Type.Union([Type.Literal('approved'), Type.Literal('rejected'), Type.Literal('pending')], {
      description: 'What has become of it. One that has lapsed is `rejected`.',
    }),
  },
  { title: 'LDJLBClubApplication', description: 'An application for a club.' },
);

export const LDJLBClubApplications = Type.Object(
  { data: Type.Array(LDJLBClubApplication, { description: 'All of them, newest first.' }) },
  { title: 'LDJLBClubApplications', description: 'The applications of the caller.' },
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

const pages = (name: string) => ({
  page_index: Type.Integer({ default: 1, minimum: 1, maximum: 2_147_483_647, description: 'Page, from 1.' }),
  page_size: Type.Integer({ default: 100, minimum: 1, maximum: 100, description: `${name} on a page.` }),
});

export const DirectoryQuery = Type.Object({
  ...pages('Clubs'),
  keyword: Type.String({
    default: '',
    maxLength: 50,
    [trimmed]: true,
    description: 'Part of the name, in any case; blanks at its ends do not count. Empty: all clubs.',
  }),
});

export const ClubJoinRequest = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 200,
      [trimmed]: true,
      description: 'Why the caller wants to join; blanks at its ends are not sent. Shown to those who decide.',
    }),
  },
  { title: 'LDJLBClubJoinRequest', description: 'An application for a club.' },
);

export const ClubPath = Type.Object({
  club_id: Type.String({ description: 'Id of a club, from the directory or the list of joined clubs.' }),
});
export const ActivityPath = Type.Object({
  activity_id: Type.String({ description: 'Id of an activity, from a list of activities.' }),
});

export const ClubActivitiesQuery = Type.Object(pages('Activities'));

export const ApplyQuery = Type.Object({
  reason: Type.String({ default: '加入课程', maxLength: 200, description: 'Shown to those who examine applications.' }),
});
