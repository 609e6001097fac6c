import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluationPauseMs, evaluationSettings } from '../src/config/settings/features.ts';
import { guardNumbers } from '../src/domain/accounts/guard/numbers.ts';
import { CHALLENGE_LIFE_MS } from '../src/domain/accounts/sign-in/open-challenge.ts';
import { journalLimits } from '../src/domain/events/ports.ts';

const days = (ms: number): number => ms / 86_400_000;
const minutes = (ms: number): number => ms / 60_000;
const [hour, day] = guardNumbers.comparing.owner;
const [hourOfAll, dayOfAll] = guardNumbers.comparing.strangers;
const { right } = guardNumbers.comparing;
const { steps, images, home, asking, address, breaker, gateway, trouble, endedTokens } = guardNumbers;
const { codes } = address;
const [first, second, third] = asking.waitsMs;
const waits = `${first / 1_000} s, then ${minutes(second)} minutes`;

const pause = evaluationPauseMs / 1_000;
const course = pause + evaluationSettings.evaluation.timing.waitMs.unset / 1_000;

const root = join(import.meta.dirname, '..');
const { components }: { components: unknown[] } = JSON.parse(
  readFileSync(join(root, 'docs/reference/sbom.json'), 'utf8'),
);

const words = ['no', 'one', 'two', 'three', 'four'];
const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];

/** Sentences for people, with the numbers of the code. `npm run documents` writes their digits; words change by hand. */
export const numberSentences: ReadonlyArray<readonly [document: string, sentence: string]> = [
  [
    'docs/use/events.md',
    `The last ${journalLimits.entries} of a student are kept, for ${days(journalLimits.ageMs)} days`,
  ],
  ['docs/use/evaluation.md', `with a pause of ${pause} s. N courses take N × ${course} seconds`],
  ['docs/zh/evaluation.md', `一门接一门，每门约 ${course} 秒`],
  ['docs/zh/events.md', `每人保留最近 ${journalLimits.entries} 条，最长 ${days(journalLimits.ageMs)} 天`],
  ['docs/use/events.md', `up to ${days(journalLimits.knownMs)} days after the last`],
  ['docs/use/errors.md', `right passwords | ${right.most} in ${minutes(right.windowMs)} minutes`],
  ['docs/use/errors.md', `${hour.most} an hour and ${day.most} a day each`],
  ['docs/zh/errors.md', `各为每小时 ${hour.most} 次、每天 ${day.most} 次`],
  ['docs/zh/errors.md', `合计每小时 ${hourOfAll.most} 次、每天 ${dayOfAll.most} 次`],
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
    `${days(guardNumbers.refused.strangerMs) * 24} h to strangers, ${minutes(guardNumbers.refused.ownerMs)} min to owners`,
  ],
  ['docs/run/threat-model.md', `ended within ${days(endedTokens.provesMs)} days by anything but`],
  [
    'docs/run/threat-model.md',
    `gets a token for ${minutes(guardNumbers.comparing.personTrustMs)} minutes after the session's last answer`,
  ],
  [
    'docs/run/threat-model.md',
    `${first / 1_000} s, ${minutes(second)} min, ${minutes(third)} min after refusals; ${words[asking.perInviteToken]} per invite`,
  ],
  [
    'docs/run/threat-model.md',
    `of ${words[breaker.students]} students and a fifth of all in ${minutes(breaker.windowMs)} min`,
  ],
  ['docs/run/threat-model.md', `one sign-in per ${breaker.probeMs / 1_000} s until one is accepted`],
  [
    'docs/run/threat-model.md',
    `owners ${gateway.owner.most} and ${gateway.owner.network}; registrations ${gateway.registration.most} and ${gateway.registration.network}`,
  ],
  [
    'docs/run/threat-model.md',
    `after the ${ordinals[trouble.freeUnstable + 1]}, the first, the ${ordinals[trouble.freeRenewals + 1]} of an hour`,
  ],
  ['docs/run/threat-model.md', `logins have ${words[trouble.logins]} an hour of their own`],
  [
    'docs/run/threat-model.md',
    `60 a minute and address, ${address.perStudent} for one id, ${address.wideTimes * 60} per IPv6 /48; wrong invite codes ${codes.most} in ${minutes(codes.windowMs)} min, ${codes.mostWhereRegistered} where a registration succeeded within a day, and ${codes.wide} per IPv6 /48`,
  ],
  [
    'docs/run/threat-model.md',
    `Images: owners ${images.owner}, one token ${images.token}, the last ${images.keptForHome} from home; strangers ${images.stranger}`,
  ],
  [
    'docs/run/threat-model.md',
    `${days(journalLimits.ageMs)} days for events and deliveries, ${days(journalLimits.knownMs)} for the hashes`,
  ],
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

/** Finds the sentence whatever its digits are, and wherever its lines break. */
const withAnyDigits = (sentence: string): RegExp =>
  new RegExp(
    sentence
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(' ', '\\s')
      .replace(/\d+/g, '\\d+'),
    'g',
  );

/** A document with the digits of the code. A sentence that it does not have exactly once stays, and a test is red. */
export const withNumbers = (path: string, text: string): string =>
  numberSentences
    .filter(([document]) => document === path)
    .reduce((before, [, sentence]) => {
      const found = before.match(withAnyDigits(sentence)) ?? [];
      const [held = '', ...more] = found;
      if (held === '' || more.length > 0) return before;
      const digits = sentence.match(/\d+/g)?.values();
      return before.replace(held, () => held.replace(/\d+/g, (was) => digits?.next().value ?? was));
    }, text);

/** The documents that have such sentences. */
export const numberedDocuments: readonly string[] = [...new Set(numberSentences.map(([path]) => path))];
