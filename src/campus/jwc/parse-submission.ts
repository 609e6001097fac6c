import { isRecord } from '../../lib/records.ts';
import { str } from '../parsing/scalars.ts';
import { plainMessage } from '../parsing/text.ts';

/** The words of a refusal are not handed on: they may quote an answer, which is the student's and logged nowhere. */
export type SubmissionAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly aboutTiming: boolean }
  /** No answer of the application: whether anything was stored is unknown. */
  | { readonly kind: 'unreadable' };

/**
 * Refusals that another order of opening and submitting may avoid: too early, or the page token is no longer good.
 * The net is wide on purpose: a refusal caught by mistake costs one more attempt, a missed one every course of the run.
 */
const timing = /时间|过快|太快|过短|稍后|等待|分钟|秒|token|令牌|失效|过期|超时|重新进入|刷新|页面/i;

/** `{result: "success" | …, msg}`. */
export const parseSubmission = (text: string): SubmissionAnswer => {
  let body: unknown;
  try {
    body = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return { kind: 'unreadable' };
  }
  if (!isRecord(body) || str(body.result) === '') return { kind: 'unreadable' };
  if (str(body.result).toLowerCase() === 'success') return { kind: 'accepted' };
  return { kind: 'refused', aboutTiming: timing.test(plainMessage(body.msg)) };
};
