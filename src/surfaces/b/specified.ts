/** Paths of the specification. Their operations ignore query names that they do not know, as they always have. */
const specified: ReadonlySet<string> = new Set([
  ...['/auth/login/next', '/auth/register/invite', '/auth/register/next', '/auth/authme/token'],
  ...['/jwc/exam/info', '/jwc/academic/info', '/jwc/academic/training_plan', '/jwc/academic/course_selection_status'],
  ...['/jwc/term/all', '/jwc/term/current', '/jwc/score/:term_code/list', '/jwc/plan/current'],
  ...['/jwc/schedule/:term_code/table', '/jwc/competition/info', '/aac/credit/info', '/aac/credit/list'],
  ...['/isim/room/list', '/isim/room/list/buildings', '/isim/room/list/building/:building_code'],
  ...['/isim/room/list/floor/:floor_code', '/isim/room/info/:room_code', '/isim/room/bind', '/isim/room/current'],
  ...['/isim/room/refresh', '/isim/elec/info', '/ldjlb/labor/progress', '/ldjlb/labor/joined/activities'],
  ...['/ldjlb/labor/joined/clubs', '/ldjlb/labor/club/:club_id/activities', '/ldjlb/labor/scan_sign'],
  ...['/ldjlb/labor/activity/:activity_id/apply', '/ldjlb/labor/:activity_id/sign_list'],
  '/ldjlb/labor/:activity_id/detail',
]);

/** Whether an operation refuses query names that it does not know: a misspelt filter is no filter. */
export const refusesUnknownNames = (path: string): boolean =>
  !specified.has(path) && !/^\/profile\/(?:user|client|flutter)\//.test(path);
