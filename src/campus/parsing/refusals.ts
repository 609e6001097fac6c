import { affirms } from '../../lib/negation.ts';
import { int, type JsonObject, saysText, str } from './cells.ts';
import { plainMessage } from './text.ts';

// A refusal may come as JSON with status 200, and without rows it looks like a list that is empty.

const goodResults: readonly string[] = ['ok', 'success', 'true', '0', '200'];
const goodCodes: readonly number[] = [0, 200];
const badWord = /error|fail|denied|exception|expired|invalid|timeout/i;

const isStated = (value: unknown): boolean => saysText(value) && value !== false && value !== 0 && str(value) !== '0';
const isFalse = (value: unknown): boolean => value === false || str(value).toLowerCase() === 'false';

/** The members of an answer that state an outcome name an error. */
export const tellsError = (body: JsonObject): boolean =>
  (saysText(body.result) && !goodResults.includes(str(body.result).toLowerCase())) ||
  isFalse(body.success) ||
  [body.errorMessage, body.error, body.exception].some(isStated) ||
  int(body.status) >= 400 ||
  !goodCodes.includes(int(body.code)) ||
  [body.status, body.code, body.state].some((value) => badWord.test(str(value)));

/** What the answer says to a person. */
export const messageIn = (body: JsonObject): string =>
  [body.errorMessage, body.msg, body.message, body.errMsg, body.errorMsg, body.error_description]
    .map(plainMessage)
    .find((text) => text !== '') ?? '';

const failing =
  /频繁|繁忙|异常|错误|出错|失败|失效|过期|超时|未登[录陆]|(?:重新|请先?)登[录陆]|权限|拒绝|禁止|维护|不能|不可|无法|不允许|稍后|关闭|未(?:开放|发布|公布|评|完成)|log ?in|sign ?in|busy|forbidden|unauthori[sz]ed/i;
const succeeding = /成功|success|\bok\b/i;

/** The members of an answer whose code is one of success name an error: words of success beside it are none. */
export const contradictsSuccess = (body: JsonObject): boolean => {
  const others = Object.entries(body).filter(([, value]) => !(typeof value === 'string' && affirms(value, succeeding)));
  return tellsError(Object.fromEntries(others));
};

/** A member that states success goes before words. */
const statesSuccess = ({ result, success, code }: JsonObject): boolean =>
  goodResults.includes(str(result).toLowerCase()) ||
  str(success).toLowerCase() === 'true' ||
  (str(code) !== '' && goodCodes.includes(int(code, -1)));

/** The words of an answer without rows say why there are none: other than that there is nothing. */
export const saysFailure = (body: JsonObject): boolean => {
  const message = messageIn(body);
  return (failing.test(message) || badWord.test(message)) && !affirms(message, succeeding);
};

/** A message that stands alone, and is not of success. */
export const saysNoSuccess = (body: JsonObject): boolean => {
  const message = messageIn(body);
  return message !== '' && !statesSuccess(body) && !affirms(message, succeeding);
};

/** Without rows, any mention of an error counts: an empty list must not hide it. */
export const refusesRows = (body: JsonObject): boolean =>
  tellsError(body) || (!statesSuccess(body) && saysFailure(body));
