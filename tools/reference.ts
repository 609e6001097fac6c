import { isRecord } from '../src/lib/text.ts';

type Json = Record<string, unknown>;
const record = (value: unknown): Json => (isRecord(value) ? value : {});
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(record) : []);

const callsOf = (document: Json, tag: string): string[] =>
  Object.entries(record(document.paths)).flatMap(([path, item]) =>
    Object.entries(record(item))
      .filter(([, operation]) => record(operation).tags?.toString() === tag)
      .map(([method, operation]) => `| \`${method.toUpperCase()} ${path}\` | ${record(operation).summary} |`),
  );

/** `docs/reference/reference.md`: every operation of the interface description, by group. */
export const referenceOf = (document: Json): string => {
  const groups = list(document.tags).map(({ name, description }) => {
    const heading = `## ${name}\n\n${description}`;
    return `${heading}\n\n| Call | What |\n|---|---|\n${callsOf(document, String(name)).join('\n')}`;
  });
  return `# Reference

Generated from the interface description by \`npm run documents\`; \`npm run check\` compares. Do not edit.

Parameters, bodies, answers and failures of each call: <http://127.0.0.1:3000/docs> of a running service, or
[openapi.json](openapi.json). What a failure means: [errors.md](../use/errors.md). In your language: [clients.md](../use/clients.md).

There are two surfaces over one service, and a token works on both:

- **With a bearer header**: \`Authorization: Bearer TOKEN\`. Answers are \`{success, message, data, error, timestamp}\`; the HTTP
  status tells success from failure, \`error.code\` tells failures apart.
- **Below \`/api/v1\`**: every call is a POST with the token in the body. Answers are \`{code, message, data}\`; an operation that
  fails has HTTP status 200 and a \`code\` other than 200. Calls with parameters take the token in a separate member:
  \`{"AuthmeRequest":{"token":"…"},"request":{"term_id":"2025-2026-1-1"}}\`. The path segment \`veryfy_invite_code\` is
  spelled exactly so.

Every answer carries \`X-Trace-Id\`, which is also in the log. Besides: \`GET /docs\`, \`GET /openapi.json\`, \`GET /privacy\`
(what is stored of a student, in English or Chinese); where they are switched on, \`GET /challenge\` ([challenges.md](../use/challenges.md),
\`PUBLIC_URL\`) and \`GET /metrics\`.

${groups.join('\n\n')}
`;
};
