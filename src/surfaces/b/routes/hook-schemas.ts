import { type TProperties, Type } from '@sinclair/typebox';
import { type EventType, eventTypeNames } from '../../../domain/events/types.ts';
import { formatNames } from '../../../domain/hooks/formats.ts';
import { MOST_DELIVERIES } from '../../../domain/hooks/hooks.ts';
import { deliveryFaults, hookDetails, hookRefreshes, hookStates } from '../../../domain/hooks/ports.ts';
import { LONGEST_TARGET } from '../../../domain/hooks/targets.ts';
import { integer, object, oneOf, orNull, text, textOrNull } from '../../../domain/record.ts';

/** Where nothing is said of it. */
export const LOW_KWH = 10;

/** What a hook may be told; tests come because they are asked for. */
export const wanted = eventTypeNames.filter((type) => type !== 'test.ping' && type !== 'score.expected');

const usual: readonly EventType[] = ['score.published', 'exam.moved'];
const typeList = (types: readonly EventType[], limits: object) =>
  Type.Array(Type.Union(types.map((type) => Type.Literal(type))), {
    ...limits,
    description: `What it is told, each once: ${types.map((type) => `\`${type}\``).join(', ')}.`,
    examples: [[...usual.filter((type) => types.includes(type)), ...types].slice(0, 2)],
  });

const url = Type.String({
  minLength: 1,
  maxLength: LONGEST_TARGET,
  description:
    'Where it is told: https, port 443, a public address. It may hold a key of the receiver; only its owner sees it.',
  examples: ['https://hooks.example.net/campus'],
});
const detail = oneOf(
  hookDetails,
  '`thin`: names, ids and which read to ask, never a mark; `full`: also what the reading says.',
  'thin',
);
const format = oneOf(
  formatNames,
  '`standard`: the event as JSON, signed as Standard Webhooks say; the others: one line without a mark for that service, at its own hosts only.',
  'standard',
);
const lowKwh = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: `Of \`electricity.low\`: below how many kWh it is told. Left out: ${LOW_KWH}.`,
  examples: [LOW_KWH],
});

const refresh = oneOf(
  hookRefreshes,
  "`signal`: the student takes part in the signal of each class, and is told `score.expected`, without a course, once marks of a class come out of which at least five take part and two have theirs; this term's scores are read then, if `types` has `score.published` or `score.changed`. What leaves a student is a keyed hash of term, course and class. `daily`: once a day the service reads on its own what `types` need. Both together at most two readings and one sign-in a day, from 7 to 23 h, and none of what was read within six hours.",
  'none',
);

const askedTypes = (types: readonly EventType[]) =>
  typeList(types, { minItems: 1, maxItems: types.length, uniqueItems: true });

const choices = {
  detail: Type.Optional(detail),
  format: Type.Optional(format),
  low_kwh: Type.Optional(lowKwh),
  refresh: Type.Optional(refresh),
};

/** @param types what may happen at the campus */
export const hookRequest = (types: readonly EventType[]) =>
  object('HookRequest', 'A hook to be made.', { url, types: askedTypes(types), ...choices });

export const hookChangeRequest = (types: readonly EventType[]) =>
  object('HookChangeRequest', 'What is to be different.', {
    url: Type.Optional(url),
    types: Type.Optional(askedTypes(types)),
    ...choices,
    active: Type.Optional(
      Type.Boolean({
        description: 'False: it rests, and what was waiting is given up. True: it is on, whatever has switched it off.',
        examples: [true],
      }),
    ),
  });

const members = {
  id: text('Names the hook.', '8c1e40b97a5d23f6'),
  url,
  types: typeList(wanted, {}),
  detail,
  format,
  low_kwh: orNull(Type.Integer(), 'Below how many kWh it is told of `electricity.low`; null: it is not.', null),
  refresh,
  state: oneOf(
    hookStates,
    '`paused`: by its owner; `failed`: after five days of nothing but failures; `gone`: the receiver has answered 410.',
    'on',
  ),
  created_at: text('In campus time.', '2026-03-18 10:00:00'),
  delivered_at: textOrNull('Of the last delivery that arrived; null: none has yet.', '2026-03-18 10:05:12'),
  failing_since: textOrNull('Since when nothing has arrived although it was tried; null: all is well.', null),
  old_secret_until: textOrNull('Until when the secret before this one signs too; null: there is none.', null),
} satisfies TProperties;

export const MadeHook = object('MadeHook', 'A hook with its secret.', {
  ...members,
  secret: text('Signs what it is told. Shown this once.', 'whsec_ZXhhbXBsZS1zZWNyZXQtZm9yLXRoZS1kb2N1bWVudC0xMjM='),
});
export const HookAnswer = object('Hook', 'A hook.', members);
export const HookList = object('HookList', 'The hooks of the student.', {
  hooks: Type.Array(HookAnswer, { description: 'The oldest first.' }),
});
export const DeliveryList = object('HookDeliveries', 'What a hook was told lately.', {
  deliveries: Type.Array(
    object('HookDelivery', 'One event at one hook.', {
      id: text('Names the delivery.', '1f6b0d38c94ea275'),
      event_id: text('Id of the event, which is the `webhook-id` of every attempt.', 'evt_ZXhhbXBsZS1ldmVudC1pZC'),
      type: oneOf(eventTypeNames, 'Of the event.', 'score.published'),
      state: oneOf(['waiting', 'delivered', 'given-up'] as const, '`waiting`: for its next attempt.', 'delivered'),
      created_at: text('In campus time.', '2026-03-18 10:05:11'),
      attempts: integer('How many there were.', 1),
      tried_at: textOrNull('Of the last attempt; null: none yet.', '2026-03-18 10:05:12'),
      status: orNull(Type.Integer(), 'What the receiver answered to it; null: nothing.', 204),
      fault: orNull(
        oneOf(deliveryFaults, 'What was in the way.', 'timed-out'),
        'Why it did not arrive, where that is not the status; null: there is nothing to say.',
        null,
      ),
      ms: orNull(Type.Integer(), 'How long it took, in milliseconds; null: none yet.', 184),
      next_at: textOrNull('When it is attempted again; null: it is over.', null),
    }),
    { description: `The newest first, at most ${MOST_DELIVERIES}.` },
  ),
});

export const HookPath = Type.Object({ id: text('Id of a hook.', '8c1e40b97a5d23f6') });
export const DeliveryPath = Type.Object({
  id: text('Id of a hook.', '8c1e40b97a5d23f6'),
  delivery: text('Id of one of its deliveries.', '1f6b0d38c94ea275'),
});
