import type { ActivityCategory, ActivityTotal } from '../../src/domain/activity-score/types.ts';
import type { JudgedApplication } from '../../src/domain/labor-club/clubs.ts';
import type {
  ActivityDetail,
  ClubDirectory,
  LaborActivities,
  LaborActivity,
  LaborClubEntry,
  SignItems,
} from '../../src/domain/labor-club/types.ts';

export const exampleTotal: ActivityTotal = { score: 7.5, requirementMet: false, explanation: '示例类别不足' };

export const exampleCategory: ActivityCategory = {
  id: 't1',
  displayNumber: 1,
  name: '示例类别',
  score: 2.5,
  items: [
    {
      id: 'i1',
      title: '示例活动',
      category: '示例类别',
      studentId: '20990001',
      score: 2.5,
      addedAt: '2098-10-01 10:00:00',
    },
  ],
};

export const exampleLaborActivity: LaborActivity = {
  id: 'a1',
  icon: null,
  state: 1,
  stateName: '报名中',
  typeId: 't1',
  typeName: '示例类型',
  title: '示例劳动',
  startsAt: '2099-09-10 14:00',
  endsAt: '2099-09-10 16:00',
  leaderId: 'T001',
  leaderName: '王老师',
  clubId: 'c1',
  clubName: '示例俱乐部',
  members: 3,
  addedAt: '2099-09-01 09:00',
  places: 20,
  fewestMembers: null,
  joined: true,
  closed: false,
  signUpFrom: '2099-09-01 10:00',
  signUpUntil: '2099-09-09 18:00',
};

export const exampleLaborActivities: LaborActivities = {
  activities: [exampleLaborActivity],
  page: { total: 1, size: 100, index: 1 },
};

export const exampleClub: LaborClubEntry = {
  id: 'c1',
  name: '示例俱乐部',
  typeId: 't1',
  typeName: '示例类型',
  places: 50,
  projectId: 'p1',
  projectName: '示例项目',
  icon: '',
  description: null,
  chairId: 'T001',
  chairName: '王老师',
  departmentCode: 'D1',
  departmentName: '示例部门',
  contact: null,
  enabled: true,
  members: 12,
};

export const exampleDirectory: ClubDirectory = {
  clubs: [
    {
      id: 'c1',
      name: '示例俱乐部',
      typeId: 't1',
      typeName: '示例类型',
      projectId: 'p1',
      projectName: '示例项目',
      places: 100,
      members: 101,
      icon: null,
      description: null,
      enabled: true,
      joined: false,
    },
  ],
  page: { total: 57, size: 100, index: 1 },
};

export const exampleApplication: JudgedApplication = {
  id: 'apply-1',
  clubId: 'c1',
  clubName: '示例俱乐部',
  reason: '希望参与劳动实践',
  addedAt: '2099-09-01T12:30:00',
  comment: '同意加入',
  agreed: true,
  stateName: '',
  state: 'approved',
};

export const exampleSignItems: SignItems = {
  code: 0,
  items: [
    {
      id: 's1',
      type: 1,
      typeName: '签到',
      startsAt: '2099-09-10 13:50',
      endsAt: '2099-09-10 14:10',
      signed: false,
      signedAt: '',
    },
  ],
};

const { stateName: _stateName, joined: _joined, ...shared } = exampleLaborActivity;

export const exampleActivityDetail: ActivityDetail = {
  code: 0,
  facts: { ...shared, needsExamination: false, isMember: true, isManager: false },
  form: [{ id: 'f1', name: '活动地址', required: true, fieldType: 1, value: '一号楼101' }],
  approval: [
    {
      id: 'w1',
      approved: true,
      flowType: 1,
      flowTypeName: '部门审批',
      applicantId: 'T001',
      applicantName: '王老师',
      examinerId: 'T002',
      examinerName: '李老师',
      comment: '同意',
      addedAt: '2099-08-20 09:00',
      examinedAt: '2099-08-21 09:00',
    },
  ],
  venues: [],
  teachers: [
    { id: 'r1', activityId: 'a1', userId: 'T001', name: '王老师', addedAt: '2099-09-01 09:00', addedBy: 'T001' },
  ],
};
