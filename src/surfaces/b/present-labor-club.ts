import type { Static } from '@sinclair/typebox';
import type {
  ActivityDetail,
  ActivityFacts,
  LaborActivities,
  LaborActivity,
  LaborClubEntry,
  LaborProgress,
  SignItems,
} from '../../domain/labor-club/types.ts';
import type { ActivityDetailData, ActivityDetailResponse } from './schemas/labor-activity-detail.ts';
import type {
  LDJLBActivity,
  LDJLBActivityListResponse,
  LDJLBClub,
  LDJLBProgressInfo,
  SignListResponse,
} from './schemas/labor-club.ts';

export const presentProgress = ({ finished, percentage }: LaborProgress): Static<typeof LDJLBProgressInfo> => ({
  data: finished,
  finish_count: finished,
  progress_percentage: percentage,
});

const presentActivity = (activity: LaborActivity): Static<typeof LDJLBActivity> => ({
  ID: activity.id,
  Ico: activity.icon,
  State: activity.state,
  StateName: activity.stateName,
  TypeID: activity.typeId,
  TypeName: activity.typeName,
  Title: activity.title,
  StartTime: activity.startsAt,
  EndTime: activity.endsAt,
  ChargeUserNo: activity.leaderId,
  ChargeUserName: activity.leaderName,
  ClubID: activity.clubId,
  ClubName: activity.clubName,
  MemberNum: activity.members,
  AddTime: activity.addedAt,
  PeopleNum: activity.places,
  PeopleNumMin: activity.fewestMembers,
  IsJson: activity.joined,
  IsClose: activity.closed,
  SignUpStartTime: activity.signUpFrom,
  SignUpEndTime: activity.signUpUntil,
});

export const presentActivities = ({ activities, page }: LaborActivities): Static<typeof LDJLBActivityListResponse> => ({
  data: activities.map(presentActivity),
  pageInfo: { TotalItemCount: page.total, PageSize: page.size, CurrentPageIndex: page.index },
});

export const presentClub = (club: LaborClubEntry): Static<typeof LDJLBClub> => ({
  ID: club.id,
  Name: club.name,
  TypeID: club.typeId,
  PeopleNum: club.places,
  ProjectID: club.projectId,
  PorjectName: club.projectName,
  TypeName: club.typeName,
  Ico: club.icon,
  Desc: club.description,
  ChairmanNo: club.chairId,
  CairmanName: club.chairName,
  DepartCode: club.departmentCode,
  Contact: club.contact,
  IsEnable: club.enabled,
  DpeartName: club.departmentName,
  MemberNum: club.members,
});

export const presentSignItems = ({ code, items }: SignItems): Static<typeof SignListResponse> => ({
  code,
  data: items.map((item) => ({
    ID: item.id,
    Type: item.type,
    TypeName: item.typeName,
    StartTime: item.startsAt,
    EndTime: item.endsAt,
    IsSign: item.signed,
    SignTime: item.signedAt,
  })),
});

const presentFacts = (facts: ActivityFacts): Static<typeof ActivityDetailData> => ({
  ID: facts.id,
  Title: facts.title,
  State: facts.state,
  Ico: facts.icon,
  TypeID: facts.typeId,
  TypeName: facts.typeName,
  StartTime: facts.startsAt,
  EndTime: facts.endsAt,
  ChargeUserNo: facts.leaderId,
  ChargeUserName: facts.leaderName,
  ClubID: facts.clubId,
  ClubName: facts.clubName,
  MemberNum: facts.members,
  AddTime: facts.addedAt,
  ApplyIsNeedExam: facts.needsExamination,
  IsMember: facts.isMember,
  IsManager: facts.isManager,
  PeopleNum: facts.places,
  PeopleNumMin: facts.fewestMembers,
  IsClose: facts.closed,
  SignUpStartTime: facts.signUpFrom,
  SignUpEndTime: facts.signUpUntil,
});

export const presentDetail = (detail: ActivityDetail): Static<typeof ActivityDetailResponse> => ({
  code: detail.code,
  data: detail.facts === null ? null : presentFacts(detail.facts),
  formData: detail.form.map((field) => ({
    ID: field.id,
    Name: field.name,
    IsMust: field.required,
    FieldType: field.fieldType,
    Value: field.value,
  })),
  flowData: detail.approval.map((step) => ({
    ID: step.id,
    IsAdopt: step.approved,
    FlowType: step.flowType,
    FlowTypeName: step.flowTypeName,
    UserNo: step.applicantId,
    UserName: step.applicantName,
    ExamUserNo: step.examinerId,
    ExamUserName: step.examinerName,
    ExamComment: step.comment,
    AddTime: step.addedAt,
    ExamTime: step.examinedAt,
  })),
  VenueReserveData: [...detail.venues],
  teacherList: detail.teachers.map((teacher) => ({
    UserName: teacher.name,
    ID: teacher.id,
    ActivityID: teacher.activityId,
    UserNo: teacher.userId,
    AddTime: teacher.addedAt,
    AddUserNo: teacher.addedBy,
  })),
});
