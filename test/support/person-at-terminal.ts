import { readFileSync } from 'node:fs';
import type { World } from '../../src/cli/world.ts';
import { systemClock } from '../../src/lib/time.ts';
import { lettersIn } from './image-letters.ts';
import { RECORDED_AT } from './recorded-demos.ts';

interface Asked {
  readonly question: string;
  readonly look: string;
}

export type Answer = string | null | ((question: string) => string);

/** Looks at the image in the file that the question names. */
export const lookAtImage = (question: string): string =>
  lettersIn(readFileSync(/in (.*): $/.exec(question)?.[1] ?? ''));

/** A person who answers each question by what it begins with, the second time by the second answer; else with nothing. */
export const person = (answers: Readonly<Record<string, Answer | readonly Answer[]>>, agrees = true) => {
  const asked: Asked[] = [];
  const world: Partial<World> = {
    ask: async (question, look = 'shown') => {
      const keyOf = (text: string): string =>
        Object.keys(answers)
          .filter((start) => text.startsWith(start))
          .toSorted((a, b) => b.length - a.length)[0] ?? '';
      const key = keyOf(question);
      const before = asked.filter((each) => keyOf(each.question) === key).length;
      asked.push({ question, look });
      const answer = key in answers ? [answers[key]].flat()[before] : '';
      return (typeof answer === 'function' ? answer(question) : answer) ?? (answer === null ? null : '');
    },
    confirm: async () => agrees,
    clock: { ...systemClock, now: () => RECORDED_AT },
  };
  return { asked, world };
};
