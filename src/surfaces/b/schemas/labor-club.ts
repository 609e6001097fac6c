import { Type } from '@sinclair/typebox';
import { trimmed } from '../../../platform/findings.ts';
import { integer, object, orNull, text, textOrNull } from '../../records/atoms.ts';

const time = text('Campus time as the campus writes it; empty when unknown.');

export const LDJLBProgressInfo = object('LDJLBProgressInfo', 'Progress in the labor club.', {
  data: integer('Finished activities; ten are needed.'),
  finish_count: integer('The same number.'),
  progress_percentage: Type.Number({ description: '0 to 100.' }),
});

export const LDJLBPageInfo = object('LDJLBPageInfo', 'Which page it is, and of how many rows.', {
  TotalItemCount: integer('Rows on all pages.'),
  PageSize: integer('Rows on a page.'),
  CurrentPageIndex: integer('This page, from 1.'),
});

export const LDJLBActivity = object('LDJLBActivity', 'An activity of the labor club.', {
  ID: text('Id of the activity.'),
  Ico: textOrNull('Address of its picture; null without one.'),
  State: integer('Code of the campus; show `StateName`.'),
  StateName: text('Its state, e.g. `报名中`.'),
  TypeID: text('Id of its kind.'),
  TypeName: text('Name of its kind.'),
  Title: text('Its title.'),
  StartTime: time,
  EndTime: time,
  ChargeUserNo: text('Number of the person in charge.'),
  ChargeUserName: text('Name of the person in charge.'),
  ClubID: text('Id of its club.'),
  ClubName: text('Name of its club.'),
  MemberNum: integer('People who signed up.'),
  AddTime: time,
  PeopleNum: integer('Places.'),
  PeopleNumMin: orNull(Type.Integer(), 'Fewest people; null when not stated.'),
  IsJson: orNull(Type.Boolean(), 'The caller has joined (spelled so upstream).'),
  IsClose: orNull(Type.Boolean(), 'It is closed; null when not stated.'),
  SignUpStartTime: time,
  SignUpEndTime: time,
});

export const LDJLBActivityListResponse = object('LDJLBActivityListResponse', 'One page of activities.', {
  data: Type.Array(LDJLBActivity, { description: 'The activities of this page.' }),
  pageInfo: LDJLBPageInfo,
});

export const LDJLBClub = object('LDJLBClub', 'A labor club.', {
  ID: text('Id of the club.'),
  Name: text('Its name.'),
  TypeID: text('Id of its kind.'),
  PeopleNum: integer('Places.'),
  ProjectID: text('Id of its project.'),
  PorjectName: text('Project name (spelled so upstream).'),
  TypeName: text('Name of its kind.'),
  Ico: text('Address of its picture; may be empty.'),
  Desc: textOrNull('What it is about; null when not stated.'),
  ChairmanNo: text('Number of the chairman.'),
  CairmanName: text('Chairman (spelled so upstream).'),
  DepartCode: text('Code of the department.'),
  Contact: textOrNull('How to reach it; null when not stated.'),
  IsEnable: Type.Boolean({ description: 'It is active.' }),
  DpeartName: text('Department (spelled so upstream).'),
  MemberNum: integer('Members.'),
});

export const LDJLBClubListResponse = object('LDJLBClubListResponse', 'Labor clubs.', {
  data: Type.Array(LDJLBClub, { description: 'In the order of the campus.' }),
});

const LDJLBClubEntry = object('LDJLBClubEntry', 'A club of the directory.', {
  ID: text('Id of the club.'),
  Name: text('Its name.'),
  TypeID: text('Id of its kind.'),
  TypeName: text('Name of its kind.'),
  ProjectID: text('Id of its project.'),
  PorjectName: text('Project name (spelled so upstream).'),
  PeopleNum: integer('Places. More members than that do not close a club.'),
  MemberNum: integer('Members.'),
  Ico: textOrNull('Address of its picture; null without one.'),
  Desc: textOrNull('What it is about; null when not stated.'),
  IsEnable: Type.Boolean({ description: 'It can be applied for.' }),
  IsJoin: Type.Boolean({ description: 'The caller is a member.' }),
});

export const LDJLBClubDirectory = object('LDJLBClubDirectory', 'One page of the clubs.', {
  data: Type.Array(LDJLBClubEntry, { description: 'The clubs of this page.' }),
  pageInfo: LDJLBPageInfo,
});

const LDJLBClubApplication = object('LDJLBClubApplication', 'An application for a club.', {
  ID: text('Id of the application.'),
  ClubID: text('Id of the club.'),
  ClubName: text('Name of the club.'),
  Reason: text('What the caller wrote.'),
  AddTime: text('When, as the campus writes it; a `T` may stand between date and time. Empty when unknown.'),
  ReplyComment: text('What was answered; may be empty.'),
  IsAgree: orNull(Type.Boolean(), 'What was decided; null while nobody has.'),
  StateName: text('State in the words of the campus; may be empty.'),
  status: Type.Union([Type.Literal('approved'), Type.Literal('rejected'), Type.Literal('pending')], {
    description: 'What has become of it. One that has lapsed is `rejected`.',
  }),
});

export const LDJLBClubApplications = object('LDJLBClubApplications', 'The applications of the caller.', {
  data: Type.Array(LDJLBClubApplication, { description: 'All of them, newest first.' }),
});

const decisionMembers = {
  code: integer('0: accepted.'),
  msg: text('What the campus says; may be empty.'),
};

export const LDJLBApplyResponse = object('LDJLBApplyResponse', 'What the campus decided.', decisionMembers);

const longitude = '-?(?:180(?:\\.0+)?|(?:1[0-7]\\d|\\d{1,2})(?:\\.\\d+)?)';
const latitude = '-?(?:90(?:\\.0+)?|[0-8]?\\d(?:\\.\\d+)?)';

export const ScanSignRequest = object('ScanSignRequest', 'A scanned code and where it was scanned.', {
  content: Type.String({ minLength: 1, maxLength: 4096, description: 'Complete text of the QR code, as scanned.' }),
  location: Type.String({
    maxLength: 200,
    pattern: `^${longitude}[ \\t]*,[ \\t]*${latitude}$`,
    description: '`longitude,latitude` in decimal degrees. Passed on to the campus, kept nowhere.',
  }),
});

export const ScanSignResponse = object('ScanSignResponse', 'What the campus decided.', {
  ...decisionMembers,
  data: Type.Record(Type.String(), Type.String(), { description: 'What else the campus says about the sign-in.' }),
});

const SignItem = object('SignItem', 'A sign-in of an activity.', {
  ID: text('Id of the item.'),
  Type: integer('1: sign-in.'),
  TypeName: text('Name of its kind, e.g. `签到`.'),
  StartTime: time,
  EndTime: time,
  IsSign: Type.Boolean({ description: 'The caller has signed.' }),
  SignTime: text('Empty while not signed.'),
});

const code = integer('0: found. Anything else: refused by the campus.');

export const SignListResponse = object('SignListResponse', 'The sign-ins of an activity.', {
  code,
  data: Type.Array(SignItem, { description: 'In the order of the campus.' }),
});

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

export const ClubJoinRequest = object('LDJLBClubJoinRequest', 'An application for a club.', {
  reason: Type.String({
    minLength: 1,
    maxLength: 200,
    [trimmed]: true,
    description: 'Why the caller wants to join; blanks at its ends are not sent. Shown to those who decide.',
  }),
});

export const ClubPath = Type.Object({
  club_id: text('Id of a club, from the directory or the list of joined clubs.'),
});
export const ActivityPath = Type.Object({
  activity_id: text('Id of an activity, from a list of activities.'),
});

export const ClubActivitiesQuery = Type.Object(pages('Activities'));

export const ApplyQuery = Type.Object({
  reason: Type.String({ default: '加入课程', maxLength: 200, description: 'Shown to those who examine applications.' }),
});
