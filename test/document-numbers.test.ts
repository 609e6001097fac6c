import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guardNumbers, memoryMs } from '../src/domain/accounts/guard/numbers.ts';
import { CHALLENGE_LIFE_MS } from '../src/domain/accounts/sign-in/open-challenge.ts';
import { journalLimits } from '../src/domain/events/ports.ts';

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '..', path), 'utf8').replaceAll('\n', ' ');
const days = (ms: number): number => ms / 86_400_000;
const minutes = (ms: number): number => ms / 60_000;
const [hour, day] = guardNumbers.comparing.owner;
const [hourOfAll, dayOfAll] = guardNumbers.comparing.strangers;
const { right } = guardNumbers.comparing;
const { steps, home, asking, address, gateway, endedTokens } = guardNumbers;
const [first, second, third] = asking.waitsMs;
const waits = `${first / 1_000} s, then ${minutes(second)} minutes`;

const { components }: { components: unknown[] } = JSON.parse(read('docs/reference/sbom.json'));

/** Sentences for people, with the numbers of the code. A number that changes changes the sentence. */
const sentences: ReadonlyArray<readonly [document: string, sentence: string]> = [
  [
    'docs/use/events.md',
    `The last ${journalLimits.entries} of a student are kept, for ${days(journalLimits.ageMs)} days`,
  ],
  ['docs/zh/events.md', `每人保留最近 ${journalLimits.entries} 条，最长 ${days(journalLimits.ageMs)} 天`],
  ['docs/use/events.md', `up to ${days(journalLimits.knownMs)} days after the last`],
  ['docs/use/errors.md', `${right.most} in ${minutes(right.windowMs)} minutes`],
  ['docs/use/errors.md', `${hour.most} an hour and ${day.most} a day each`],
  ['docs/use/errors.md', `all others share ${hourOfAll.most} an hour and ${dayOfAll.most} a day`],
  [
    'docs/use/errors.md',
    `${address.codes.most} in ${minutes(address.codes.windowMs)} minutes; ${address.codes.mostWhereRegistered} where`,
  ],
  [
    'docs/use/errors.md',
    `A day ${steps.owner} challenges and ${steps.owner} codes for owners, ${steps.stranger} and ${steps.stranger} for`,
  ],
  ['docs/use/errors.md', `${waits}, then ${minutes(third)}`],
  ['docs/use/errors.md', `calls for ${days(endedTokens.provesMs)} days after its end`],
  [
    'docs/zh/errors.md',
    `每天本人 ${steps.owner} 个验证、发送 ${steps.owner} 次，不能证明身份的调用者各 ${steps.stranger} 次`,
  ],
  [
    'docs/run/threat-model.md',
    `${hour.most} an hour and ${day.most} a day each handle of an owner, ${hourOfAll.most} and ${dayOfAll.most} all strangers`,
  ],
  ['docs/run/threat-model.md', `${components.length} packages`],
  ['docs/run/threat-model.md', `right ones ${right.most} in ${minutes(right.windowMs)} min`],
  ['docs/run/threat-model.md', `within ${days(home.lifeMs)} days, the last four`],
  ['docs/run/threat-model.md', `the last ${guardNumbers.refused.most}`],
  [
    'docs/run/threat-model.md',
    `strangers ${gateway.stranger.most}, one network ${gateway.stranger.network}; owners ${gateway.owner.most} and ${gateway.owner.network}`,
  ],
  [
    'docs/run/threat-model.md',
    `owners ${steps.owner} and ${steps.owner}, one token ${steps.token}, the last ${steps.keptForHome} from home; strangers ${steps.stranger} and ${steps.stranger}`,
  ],
  ['docs/run/threat-model.md', `| ${minutes(CHALLENGE_LIFE_MS)} minutes |`],
];

describe('numbers in texts for people', () => {
  it.each(sentences)('are those of the code: %s, %s', (document, sentence) => {
    expect(read(document)).toContain(sentence);
  });

  it('come from the code where a service serves the text', () => {
    for (const language of ['en', 'zh']) {
      const text = read(`src/pages/privacy/privacy.${language}.md`).replaceAll(/`[^`]*`|\{\{[^}]*\}\}/g, '');
      expect(text).not.toMatch(/\d|at most (?:one|two|three|four|five|ten)|最多[一二两三四五六七八九十]/);
    }
    expect(home.most).toBe(4);
    expect(days(memoryMs)).toBe(1);
  });
});
