import type { ScoreRecord } from './records.ts';

/** All scores of a student, term by term in the order of the campus. */
export interface ScoreHistory {
  readonly terms: ReadonlyArray<{ readonly code: string; readonly scores: readonly ScoreRecord[] }>;
}

/** What a student has reached in a course, out of all marks of its code. */
export interface CourseMark {
  /** As the campus writes it. */
  readonly text: string;
  readonly passes: boolean;
  readonly from: 'retake' | 'make-up' | 'score';
  readonly termCode: string;
  /** Of the score row, null where it states none. */
  readonly credits: number | null;
}

/** A mark alone: its number, where it is one, and whether it passes. */
interface Verdict {
  readonly number: number | null;
  readonly passes: boolean;
}

const leastPassing = 60;
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Before the words of success, which some of these contain. */
const failing = /不及格|不合格|未通过|不通过|^(?:F|Fail)$/;
const passing = /优秀|良好|中等|及格|合格|通过|^[A-D][+-]?$/;

/** What a mark says; null where it says nothing: blank, not yet published, absent, exempt. */
export const verdictOf = (mark: string): Verdict | null => {
  const text = mark.trim();
  if (decimal.test(text)) {
    const number = Number(text);
    return { number, passes: number >= leastPassing };
  }
  if (failing.test(text)) return { number: null, passes: false };
  return passing.test(text) ? { number: null, passes: true } : null;
};

/** Whether a mark takes the place of one met before: credit once earned stays. */
const isBetter = (next: Verdict, best: Verdict): boolean =>
  next.number !== null && best.number !== null ? next.number > best.number : next.passes && !best.passes;

const creditsOf = ({ credits }: ScoreRecord): number | null => (decimal.test(credits) ? Number(credits) : null);

/** The marks of a row in the order in which they are looked at. */
const marksIn = ({ retake_score, makeup_score, score }: ScoreRecord) =>
  [
    ['retake', retake_score ?? ''],
    ['make-up', makeup_score ?? ''],
    ['score', score],
  ] as const;

/** The best mark of each course code that has one. Codes are compared exactly. */
export const marksOf = ({ terms }: ScoreHistory): ReadonlyMap<string, CourseMark> => {
  const best = new Map<string, { readonly mark: CourseMark; readonly verdict: Verdict }>();
  for (const { code, scores } of terms) {
    for (const row of scores) {
      for (const [from, text] of marksIn(row)) {
        const verdict = verdictOf(text);
        const known = best.get(row.course_code);
        if (verdict === null || (known && !isBetter(verdict, known.verdict))) continue;
        const termCode = row.term_id === '' ? code : row.term_id;
        const mark = { text, passes: verdict.passes, from, termCode, credits: creditsOf(row) };
        best.set(row.course_code, { mark, verdict });
      }
    }
  }
  return new Map([...best].map(([code, { mark }]) => [code, mark]));
};
