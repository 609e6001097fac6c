import { Failure } from '../../domain/errors.ts';
import {
  type ActivityDetail,
  ActivityFacts,
  ActivityTeacher,
  ApprovalStep,
  FormField,
} from '../../domain/labor-club/records.ts';
import { isRecord } from '../../lib/records.ts';
import { belowRows, elementsOf, readRows, records } from '../parsing/list-rows.ts';
import { rowReader } from '../parsing/row-reader.ts';
import { int, type JsonObject } from '../parsing/scalars.ts';
import { unreadable } from '../parsing/unreadable.ts';
import type { TicketEnvelope } from '../ticket-envelope.ts';

const system = 'labor-club';

const factsOf = rowReader(ActivityFacts);
const fieldOf = rowReader(FormField, { FieldType: (row) => int(row.FieldType, 1) });
const stepOf = rowReader(ApprovalStep);
const teacherOf = rowReader(ActivityTeacher);

const rowsOf = <T>(value: unknown, what: string, read: (row: JsonObject) => T): T[] =>
  readRows(belowRows(value), { system, what, read: records([], read).read }).rows;

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
    data: factsOf(data),
    formData: rowsOf(body.formData, 'form fields', fieldOf),
    flowData: rowsOf(body.flowData, 'approval steps', stepOf),
    VenueReserveData: elementsOf(belowRows(body.VenueReserveData), { system, what: 'venues' }),
    teacherList: rowsOf(body.teacherList, 'teachers', teacherOf),
  };
};
