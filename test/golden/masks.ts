/**
 * Parts that are new in every answer or request and therefore not compared. `allowed-differences.md` gives the reason
 * for each row.
 */
const maskedHeaders: Readonly<Record<string, string>> = {
  date: '<date>',
  'x-trace-id': '<trace id>',
  'x-process-time': '<seconds>',
};

/** Headers of requests at the campus whose value the campus has issued. */
export const issuedHeaders: readonly string[] = ['ticket', 'sdp-app-session'];

/** Members of JSON bodies, wherever they stand. */
const maskedMembers: ReadonlySet<string> = new Set([
  'timestamp',
  'trace_id',
  'token',
  'authme_token',
  'invite_token',
  // Of a hook.
  'secret',
  'uuid',
  // Drawn for each login.
  'ends_at',
]);

const texts: ReadonlyArray<readonly [RegExp, string]> = [
  [/W\/"[\w-]{22}"/g, 'W/"<keyed>"'],
  [/^[0-9a-f]{16}$/g, '<session id>'],
  [/^[\w-]{43}$/g, '<challenge id>'],
  [/^iVBOR[\w+/=]+$/g, '<image>'],
  [/"[0-9a-f]{16}\.[\w-]{22}"/g, '"<feed>.<digest>"'],
  [/\/calendar\/[\w-]{43}(?=\.ics)/g, '/calendar/<secret>'],
  [/\b(?:ST|LT|TGT)-\d+-\w+-cas/g, '<ticket>'],
  [/(?:127\.0\.0\.1|localhost):\d+/g, '<here>'],
  [/(?:127\.0\.0\.1|localhost)%3A\d+/gi, '<here>'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<uuid>'],
  [/([?&](?:expires|signature|ticket|_|token)=)[^&"\s]+/g, '$1<masked>'],
  [
    /\/[A-Za-z0-9]{10}(?=\/(?:allTermScores|thisTermScores|thisterm|callback|[a-zA-Z]+\/callback|ajaxStudentSchedule))/g,
    '/<segment>',
  ],
];

export const maskedText = (text: string): string =>
  texts.reduce((masked, [pattern, instead]) => masked.replaceAll(pattern, instead), text);

/** Path and query of a request at the campus. */
export const maskedTarget = (target: string): string => maskedText(target);

export const maskedHeader = (name: string, value: string): string => maskedHeaders[name] ?? maskedText(value);

/** Texts of some length only: an empty token, or what a caller made up, is part of what is recorded. */
const isIssued = (value: unknown): boolean => typeof value === 'string' && value.length >= 19;

/** Of an answer to a question that was drawn. */
const drawnMembers: ReadonlySet<string> = new Set(['value', 'choice', 'text']);

export const maskedValue = (value: unknown): unknown => {
  if (typeof value === 'string') return maskedText(value);
  if (Array.isArray(value)) return value.map(maskedValue);
  if (typeof value !== 'object' || value === null) return value;
  const isDrawn = 'key' in value && 'question' in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isMasked = (maskedMembers.has(name) && isIssued(member)) || (isDrawn && drawnMembers.has(name));
      return [name, isMasked ? `<${name}>` : maskedValue(member)];
    }),
  );
};
