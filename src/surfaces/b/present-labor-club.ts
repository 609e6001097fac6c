import type { Static } from '@sinclair/typebox';
import type { JudgedApplication } from '../../domain/labor-club/clubs.ts';
import type {
  ActivityDetail,
  ActivityFacts,
  ClubDirectory,
  LaborActivities,
  LaborActivity,
  LaborClubEntry,
  LaborProgress,
  PageInfo,
  SignItems,
} from '../../domain/labor-club/types.ts';
import type { ActivityDetailData, ActivityDetailResponse } from './schemas/labor-activity-detail.ts';
import type {
  LDJLBActivity,
  LDJLBActivityListResponse,
  LDJLBClub,
  LDJLBClubApplications,
  LDJLBClubDirectory,
  LDJLBPageInfo,
  LDJLBProgressInfo,
  SignListResponse,
} from './schemas/labor-club.ts';

export const presentProgress = ({ finished, percentage }: LaborProgress): Static<typeof LDJLBProgressInfo> => ({
  data: finished,
  finish_count: finished,
  progress_percentage: percentage,
});

/** What a list and the details of an activity both show. */
const presentMembers = (activity: ActivityFacts | LaborActivity) => ({
  ID: activity.id,
  Ico: activity.icon,
  State: activity.state,
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
  IsClose: activity.closed,
  SignUpStartTime: activity.signUpFrom,
  SignUpEndTime: activity.signUpUntil,
});

const presentActivity = (activity: LaborActivity): Static<typeof LDJLBActivity> => ({
  ...presentMembers(activity),
  StateName: activity.stateName,
  IsJson: activity.joined,
});

const presentPage = ({ total, size, index }: PageInfo): Static<typeof LDJLBPageInfo> => ({
  TotalItemCount: total,
  PageSize: size,
  CurrentPageIndex: index,
});

export const presentActivities = ({ activities, page }: LaborActivities): Static<typeof LDJLBActivityListResponse> => ({
  data: activities.map(presentActivity),
  pageInfo: presentPage(page),
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

export const presentDirectory = ({ clubs, page }: ClubDirectory): Static<typeof LDJLBClubDirectory> => ({
  data: clubs.map((club) => ({
    ID: club.id,
    Name: club.name,
    TypeID: club.typeId,
    TypeName: club.typeName,
    ProjectID: club.projectId,
    PorjectName: club.projectName,
    PeopleNum: club.places,
    MemberNum: club.members,
    Ico: club.icon,
    Desc: club.description,
    IsEnable: club.enabled,
    IsJoin: club.joined,
  })),
  pageInfo: presentPage(page),
});

export const presentApplications = (
  applications: readonly JudgedApplication[],
): Static<typeof LDJLBClubApplications> => ({
  data: applications.map((application) => ({
    ID: application.id,
    ClubID: application.clubId,
    ClubName: application.clubName,
    Reason: application.reason,
    AddTime: application.addedAt,
    ReplyComment: application.comment,
    IsAgree: application.agreed,
    StateName: application.stateName,
    status: application.state,
  })),
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
  ...presentMembers(facts),
  ApplyIsNeedExam: facts.needsExamination,
  IsMember: facts.isMember,
  IsManager: facts.isManager,
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
