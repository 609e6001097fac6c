import type { UpstreamRequest, UpstreamSession } from './session/upstream-session.ts';

/** What a parser makes of the answer to a request. Rows that it could not use are told. */
export const readAnswer = async <T>(
  session: UpstreamSession,
  request: UpstreamRequest,
  parser: (text: string) => T,
): Promise<T> => {
  const answer = await session.parse(parser, await session.text(request));
  const isCounted = typeof answer === 'object' && answer !== null && 'dropped' in answer;
  if (isCounted && typeof answer.dropped === 'number') session.dropped(request.page, answer.dropped);
  return answer;
};
