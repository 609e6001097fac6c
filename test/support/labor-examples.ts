import type { ActivityCategory, ActivityTotal } from '../../src/domain/activity-score/records.ts';
import type {
  ClubDirectory,
  JudgedApplication,
  LaborActivities,
  LaborActivity,
} from '../../src/domain/labor-club/records.ts';

export const exampleTotal: ActivityTotal = { TotalScore: 7.5, IsTypeAdopt: false, TypeAdoptResult: '示例类别不足' };

export const exampleCategory: ActivityCategory = {
  ID: 't1',
  ShowNum: 1,
  TypeName: '示例类别',
  TotalScore: 2.5,
  children: [
    {
      ID: 'i1',
      Title: '示例活动',
      TypeName: '示例类别',
      UserNo: '20990001',
      Score: 2.5,
      AddTime: '2098-10-01 10:00:00',
    },
  ],
};

export const exampleLaborActivity: LaborActivity = {
  ID: 'a1',
  Ico: null,
  State: 1,
  StateName: '报名中',
  TypeID: 't1',
  TypeName: '示例类型',
  Title: '示例劳动',
  StartTime: '2099-09-10 14:00',
  EndTime: '2099-09-10 16:00',
  ChargeUserNo: 'T001',
  ChargeUserName: '王老师',
  ClubID: 'c1',
  ClubName: '示例俱乐部',
  MemberNum: 3,
  AddTime: '2099-09-01 09:00',
  PeopleNum: 20,
  PeopleNumMin: null,
  IsJson: true,
  IsClose: false,
  SignUpStartTime: '2099-09-01 10:00',
  SignUpEndTime: '2099-09-09 18:00',
};

export const exampleLaborActivities: LaborActivities = {
  data: [exampleLaborActivity],
  pageInfo: { TotalItemCount: 1, PageSize: 100, CurrentPageIndex: 1 },
};

export const exampleDirectory: ClubDirectory = {
  data: [
    {
      ID: 'c1',
      Name: '示例俱乐部',
      TypeID: 't1',
      TypeName: '示例类型',
      ProjectID: 'p1',
      PorjectName: '示例项目',
      PeopleNum: 100,
      MemberNum: 101,
      Ico: null,
      Desc: null,
      IsEnable: true,
      IsJoin: false,
    },
  ],
  pageInfo: { TotalItemCount: 57, PageSize: 100, CurrentPageIndex: 1 },
};

export const exampleApplication: JudgedApplication = {
  ID: 'apply-1',
  ClubID: 'c1',
  ClubName: '示例俱乐部',
  Reason: '希望参与劳动实践',
  AddTime: '2099-09-01T12:30:00',
  ReplyComment: '同意加入',
  IsAgree: true,
  StateName: '',
  status: 'approved',
};
