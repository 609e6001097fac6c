import { Failure } from '../../domain/errors.ts';
import type {
  ActivityDetail,
  ActivityFacts,
  ActivityTeacher,
  ApprovalStep,
  FormField,
} from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { elementsOf, flag, rowsOf, text, textOrNull } from '../parsing/cells.ts';
import { int, type JsonObject } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { TicketEnvelope } from '../ticket-envelope.ts';
import { activityMembers } from './parse-activities.ts';

const system = 'labor-club';

const factsOf = (row: JsonObject): ActivityFacts => ({
  ...activityMembers(row),
  needsExamination: flag(row.ApplyIsNeedExam),
  isMember: flag(row.IsMember),
  isManager: flag(row.IsManager),
});

const fieldOf = (row: JsonObject): FormField => ({
  id: text(row.ID),
  name: text(row.Name),
  required: flag(row.IsMust),
  fieldType: int(row.FieldType, 1),
  value: text(row.Value),
});

const stepOf = (row: JsonObject): ApprovalStep => ({
  id: text(row.ID),
  approved: flag(row.IsAdopt),
  flowType: int(row.FlowType),
  flowTypeName: text(row.FlowTypeName),
  applicantId: textOrNull(row.UserNo),
  applicantName: text(row.UserName),
  examinerId: text(row.ExamUserNo),
  examinerName: text(row.ExamUserName),
  comment: text(row.ExamComment),
  addedAt: text(row.AddTime),
  examinedAt: text(row.ExamTime),
});

const teacherOf = (row: JsonObject): ActivityTeacher => ({
  id: text(row.ID),
  activityId: text(row.ActivityID),
  userId: text(row.UserNo),
  name: text(row.UserName),
  addedAt: text(row.AddTime),
  addedBy: text(row.AddUserNo),
});

/**
 * `{data, formData, flowData, VenueReserveData, teacherList}`: four lists beside `data`, each possibly null.
 * @throws Failure `upstream-empty` without `data`; `upstream-unreadable`
 */
export const parseDetail = ({ code, data, body }: TicketEnvelope): ActivityDetail => {
  if (data === null || data === undefined) throw new Failure('upstream-empty', { system, reason: 'no activity' });
  if (!isRecord(data)) throw unreadable(system, 'activity is no object');
  if (!('ID' in data || 'Title' in data)) throw unreadable(system, 'activity without its members');
  return {
    code,
    facts: factsOf(data),
    form: rowsOf(body.formData, system, 'form').map(fieldOf),
    approval: rowsOf(body.flowData, system, 'approval').map(stepOf),
    venues: elementsOf(body.VenueReserveData, system, 'venues'),
    teachers: rowsOf(body.teacherList, system, 'teachers').map(teacherOf),
  };
};
