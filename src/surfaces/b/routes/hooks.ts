import { type TProperties, Type } from '@sinclair/typebox';
import { canHappen } from '../../../domain/capabilities.ts';
import { type EventType, eventTypeNames } from '../../../domain/events/records.ts';
import { formatNames } from '../../../domain/hooks/formats.ts';
import { MOST_DELIVERIES } from '../../../domain/hooks/hooks.ts';
import {
  deliveryFaults,
  type Hook,
  type HookDelivery,
  type HookWish,
  hookDetails,
  hookRefreshes,
  hookStates,
} from '../../../domain/hooks/ports.ts';
import { LONGEST_TARGET, type TargetFault } from '../../../domain/hooks/targets.ts';
import { flag, integer, literals, object, oneOf, orNull, text, textOrNull } from '../../../domain/record.ts';
import type { Words } from '../../../http/languages.ts';
import { RequestInvalid, wrongValue } from '../../../http/requests/findings.ts';
import { campusTimestamp } from '../../../lib/time.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';
import { Done, tellDone } from './account.ts';

const LOW_KWH = 10;

/** Event types that a hook may want; tests come because they are asked for. */
const wanted = eventTypeNames.filter((type) => type !== 'test.ping');

const usual: readonly EventType[] = ['score.published', 'exam.moved'];
const typeList = (types: readonly EventType[], limits: object) =>
  Type.Array(literals(types), {
    ...limits,
    description: `What it is told, each once: ${types.map((type) => `\`${type}\``).join(', ')}.`,
    examples: [[...usual.filter((type) => types.includes(type)), ...types].slice(0, 2)],
  });

const url = text(
  'Where it is told: https, port 443, a public address. It may hold a key of the receiver; only its owner sees it.',
  'https://hooks.example.net/campus',
  { minLength: 1, maxLength: LONGEST_TARGET },
);
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
const lowKwh = integer(`Of \`electricity.low\`: below how many kWh it is told. Left out: ${LOW_KWH}.`, LOW_KWH, {
  minimum: 1,
  maximum: 1000,
});

const refresh = oneOf(
  hookRefreshes,
  "`daily`: once a day, between 7 and 23 h, the service reads this term's scores, the exams and the timetable, with one sign-in at most and without what was read within six hours. `none`: it reads nothing.",
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
} satisfies TProperties;

const HookAnswer = object('Hook', 'A hook.', members);
const DeliveryList = object('HookDeliveries', 'What a hook was told lately.', {
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

const HookPath = Type.Object({ id: text('Id of a hook.', '8c1e40b97a5d23f6') });

const defaults = { level: 'T', scope: 'login', tag: 'Change events' } as const;
const faultWords: Readonly<Record<TargetFault, Words>> = {
  malformed: { en: 'Should be an https:// address', zh: '应为 https:// 地址' },
  'not-https': { en: 'Should begin with https://', zh: '应以 https:// 开头' },
  'user-information': { en: 'User name and password are not allowed', zh: '不能包含用户名和密码' },
  port: { en: 'Only port 443 is allowed', zh: '只允许 443 端口' },
  'format-host': { en: 'The host is none of this format', zh: '主机与所选格式不符' },
  own: { en: 'Addresses of the campus and of this service are not allowed', zh: '不能使用校园系统或本服务的地址' },
  denied: { en: 'The operator does not allow this address', zh: '运营者不允许此地址' },
  private: { en: 'Only public addresses are allowed', zh: '只允许公网地址' },
};

const usualChoices = { detail: 'thin', format: 'standard', refresh: 'none' } as const;

export const hookOperations = ({ services: { hooks, campus }, timeZone }: SurfaceBDeps): Operation[] => {
  const offered = wanted.filter((type) => canHappen(type, campus));
  const time = (at: number): string => campusTimestamp(at, timeZone);
  const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));
  const present = ({ types, lowKwh, createdAt, deliveredAt, failingSince, ...rest }: Hook) => ({
    ...rest,
    types: wanted.filter((type) => types.includes(type)),
    low_kwh: lowKwh,
    created_at: time(createdAt),
    delivered_at: timeOrNull(deliveredAt),
    failing_since: timeOrNull(failingSince),
  });
  const presentDelivery = ({ event, createdAt, triedAt, nextAt, ...rest }: HookDelivery) => ({
    ...rest,
    event_id: event,
    created_at: time(createdAt),
    tried_at: timeOrNull(triedAt),
    next_at: timeOrNull(nextAt),
  });
  const requireTarget = ({ url, format }: Pick<HookWish, 'url' | 'format'>): void => {
    const fault = hooks.faultOf(url, format);
    if (fault !== null) throw new RequestInvalid([{ ...wrongValue(faultWords[fault]), loc: ['body', 'url'] }]);
  };
  const thresholdOf = (types: readonly EventType[], given: number | null = null): number | null =>
    types.includes('electricity.low') ? (given ?? LOW_KWH) : null;

  return [
    operation('POST /events/hooks', 'createHook', {
      ...defaults,
      summary: { en: 'New hook', zh: '新建事件推送' },
      description: `Has an address told of change events, as they are seen: ${offered.length} types, see \`docs/use/events.md\`. It costs the campus nothing unless \`refresh\` asks for it. Each delivery is signed (Standard Webhooks 1.0), is repeated for about three days until the receiver answers 2xx within 15 seconds, and arrives at least once: drop a \`webhook-id\` that came before. Ends with a logout everywhere, changed passwords, and the session that made it being revoked from another one, unless \`keep\` names \`hooks\`. At most five.`,
      body: object('HookRequest', 'A hook to be made.', { url, types: askedTypes(offered), ...choices }),
      data: object('MadeHook', 'A hook with its secret.', {
        ...members,
        secret: text(
          'Signs what it is told. Shown this once.',
          'whsec_ZXhhbXBsZS1zZWNyZXQtZm9yLXRoZS1kb2N1bWVudC0xMjM=',
        ),
      }),
      message: '事件推送创建成功',
      failures: ['HOOK_LIMIT'],
      run: async (call) => {
        const { low_kwh: given, ...body } = call.body;
        const wanted = { ...usualChoices, ...body, lowKwh: thresholdOf(body.types, given) };
        requireTarget(wanted);
        const { hook, secret } = await hooks.make(call.student, wanted);
        return { ...present(hook), secret };
      },
    }),
    operation('GET /events/hooks', 'listHooks', {
      ...defaults,
      summary: { en: 'Hooks of the student', zh: '事件推送列表' },
      description: 'With their state, and without their secrets.',
      data: object('HookList', 'The hooks of the student.', {
        hooks: Type.Array(HookAnswer, { description: 'The oldest first.' }),
      }),
      message: '获取事件推送成功',
      run: async (call) => ({ hooks: (await hooks.list(call.student)).map(present) }),
    }),
    operation('PATCH /events/hooks/:id', 'changeHook', {
      ...defaults,
      summary: { en: 'Change a hook', zh: '修改事件推送' },
      description:
        'What is left out stays as it is. Its secret stays too. With another address or detail it ends with the session that changed it.',
      params: HookPath,
      body: object('HookChangeRequest', 'What is to be different.', {
        url: Type.Optional(url),
        types: Type.Optional(askedTypes(offered)),
        ...choices,
        active: Type.Optional(
          flag(
            'False: it is off, and waiting deliveries are given up. True: it is on, no matter what switched it off.',
            true,
          ),
        ),
      }),
      data: HookAnswer,
      message: '事件推送已修改',
      example: { body: { active: true } },
      run: async (call) => {
        const { low_kwh: given, active, ...body } = call.body;
        const before = await hooks.find(call.student, call.params.id);
        const { url, types, format } = { ...before, ...body };
        if (body.url !== undefined || body.format !== undefined) requireTarget({ url, format });
        const state = active === undefined ? {} : ({ state: active ? 'on' : 'paused' } as const);
        const change = { ...body, lowKwh: thresholdOf(types, given ?? before.lowKwh), ...state };
        return present(await hooks.change(call.student, call.params.id, change));
      },
    }),
    operation('POST /events/hooks/:id/test', 'testHook', {
      ...defaults,
      summary: { en: 'Test a hook', zh: '测试事件推送' },
      description:
        'Has it told of a `test.ping`, once, in any state; its deliveries show what came of it. Ten times an hour.',
      params: HookPath,
      data: Done,
      message: '测试消息已发出',
      run: async (call) => tellDone(await hooks.test(call.student, call.params.id)),
    }),
    operation('GET /events/hooks/:id/deliveries', 'listDeliveries', {
      ...defaults,
      summary: { en: 'Last deliveries of a hook', zh: '事件推送的记录' },
      description: 'When, with which status and how long it took.',
      params: HookPath,
      data: DeliveryList,
      message: '获取推送记录成功',
      run: async (call) => ({
        deliveries: (await hooks.deliveries(call.student, call.params.id)).map(presentDelivery),
      }),
    }),
    operation('DELETE /events/hooks/:id', 'deleteHook', {
      ...defaults,
      summary: { en: 'Delete a hook', zh: '删除事件推送' },
      description:
        'It is told nothing from then on. A delivery under way is broken off at once, within 2 s at another replica; it may have arrived.',
      params: HookPath,
      data: Done,
      message: '事件推送已删除',
      run: async (call) => tellDone(await hooks.end(call.student, call.params.id)),
    }),
  ];
};
