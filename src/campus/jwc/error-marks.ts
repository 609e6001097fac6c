import { int, type JsonObject, str } from '../parsing/scalars.ts';

const goodResults = ['', 'ok', 'success', 'true', '0', '200'];
const goodCodes = [0, 200];

/** Without a list, anything that speaks of an error counts as one: an empty page must not hide it. */
export const tellsError = (body: JsonObject): boolean =>
  !goodResults.includes(str(body.result).toLowerCase()) ||
  body.success === false ||
  str(body.errorMessage) !== '' ||
  (str(body.error) !== '' && body.error !== false) ||
  int(body.status) >= 400 ||
  !goodCodes.includes(int(body.code));
