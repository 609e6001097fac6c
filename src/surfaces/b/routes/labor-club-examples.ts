/** Answers for the interface document; fictional. */
export const activitiesExample = {
  data: [
    {
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
    },
  ],
  pageInfo: { TotalItemCount: 1, PageSize: 100, CurrentPageIndex: 1 },
};

export const clubsExample = {
  data: [
    {
      ID: 'c1',
      Name: '示例俱乐部',
      TypeID: 't1',
      PeopleNum: 50,
      ProjectID: 'p1',
      PorjectName: '示例项目',
      TypeName: '示例类型',
      Ico: '',
      Desc: null,
      ChairmanNo: 'T001',
      CairmanName: '王老师',
      DepartCode: 'D1',
      Contact: null,
      IsEnable: true,
      DpeartName: '示例部门',
      MemberNum: 12,
    },
  ],
};

export const signListExample = {
  code: 0,
  data: [
    {
      ID: 's1',
      Type: 1,
      TypeName: '签到',
      StartTime: '2099-09-10 13:50',
      EndTime: '2099-09-10 14:10',
      IsSign: false,
      SignTime: '',
    },
  ],
};

export const detailExample = {
  code: 0,
  data: {
    ID: 'a1',
    Title: '示例劳动',
    State: 1,
    Ico: null,
    TypeID: 't1',
    TypeName: '示例类型',
    StartTime: '2099-09-10 14:00',
    EndTime: '2099-09-10 16:00',
    ChargeUserNo: 'T001',
    ChargeUserName: '王老师',
    ClubID: 'c1',
    ClubName: '示例俱乐部',
    MemberNum: 3,
    AddTime: '2099-09-01 09:00',
    ApplyIsNeedExam: false,
    IsMember: true,
    IsManager: false,
    PeopleNum: 20,
    PeopleNumMin: null,
    IsClose: false,
    SignUpStartTime: '2099-09-01 10:00',
    SignUpEndTime: '2099-09-09 18:00',
  },
  formData: [{ ID: 'f1', Name: '活动地址', IsMust: true, FieldType: 1, Value: '一号楼101' }],
  flowData: [
    {
      ID: 'w1',
      IsAdopt: true,
      FlowType: 1,
      FlowTypeName: '部门审批',
      UserNo: 'T001',
      UserName: '王老师',
      ExamUserNo: 'T002',
      ExamUserName: '李老师',
      ExamComment: '同意',
      AddTime: '2099-08-20 09:00',
      ExamTime: '2099-08-21 09:00',
    },
  ],
  VenueReserveData: [],
  teacherList: [
    {
      UserName: '王老师',
      ID: 'r1',
      ActivityID: 'a1',
      UserNo: 'T001',
      AddTime: '2099-09-01 09:00',
      AddUserNo: 'T001',
    },
  ],
};

export const notFoundExample = {
  code: 1,
  data: null,
  formData: [],
  flowData: [],
  VenueReserveData: [],
  teacherList: [],
};

export const directoryExample = {
  data: [
    {
      ID: 'c1',
      Name: '示例劳动俱乐部',
      TypeID: 't1',
      TypeName: '综合劳动',
      ProjectID: 'p1',
      PorjectName: '劳动实践',
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

export const applicationsExample = {
  data: [
    {
      ID: 'apply-1',
      ClubID: 'c1',
      ClubName: '示例劳动俱乐部',
      Reason: '希望参与劳动实践',
      AddTime: '2026-03-17 12:30:00',
      ReplyComment: '同意加入',
      IsAgree: true,
      StateName: '',
      status: 'approved' as const,
    },
  ],
};
