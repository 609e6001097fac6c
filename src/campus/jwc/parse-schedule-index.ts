import { unreadable } from '../parsing/unreadable.ts';
import { findSegment } from './segments.ts';

const schedulePath = /\/student\/courseSelect\/thisSemesterCurriculum\/([A-Za-z0-9]{1,64})\/ajaxStudentSchedule/g;

/**
 * The part of the schedule address that the campus makes up for each session; it stands on the calendar page.
 * @throws Failure `upstream-unreadable`: there is no constant to fall back to, one would only hide a dead session
 */
export const parseScheduleIndex = (page: string): string => {
  const segment = findSegment(page, schedulePath);
  if (segment === null) throw unreadable('academics', 'calendar page without segment');
  return segment;
};
