import { type CampusFacts, canHappen } from '../../../domain/capabilities.ts';
import type { EventType } from '../../../domain/events/types.ts';
import type { Hooks } from '../../../domain/hooks/hooks.ts';
import type { Hook, HookDelivery, HookWish } from '../../../domain/hooks/ports.ts';
import type { TargetFault } from '../../../domain/hooks/targets.ts';
import { campusTimestamp } from '../../../lib/campus-time.ts';
import type { Words } from '../../../platform/languages.ts';
import { RequestInvalid, wrongValue } from '../../../platform/requests/findings.ts';
import { type Operation, operation } from '../operation.ts';
import { Done } from './account.ts';
import {
  DeliveryList,
  DeliveryPath,
  HookAnswer,
  HookList,
  HookPath,
  hookChangeRequest,
  hookRequest,
  LOW_KWH,
  MadeHook,
  wanted,
} from './hook-schemas.ts';

const shared = { level: 'T', scope: 'login', tag: 'Change events' } as const;
const done = { success: true };
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

const defaults = { detail: 'thin', format: 'standard', refresh: 'none' } as const;

/** Addresses of the student’s own that are told of change events. */
export const hookOperations = (hooks: Hooks, campus: CampusFacts, timeZone: string): Operation[] => {
  const offered = wanted.filter((type) => canHappen(type, campus));
  const time = (at: number): string => campusTimestamp(at, timeZone);
  const timeOrNull = (at: number | null): string | null => (at === null ? null : time(at));
  const present = ({ id, url, detail, format, state, refresh, ...hook }: Hook) => ({
    ...{ id, url, detail, format, state, refresh, low_kwh: hook.lowKwh },
    types: wanted.filter((type) => hook.types.includes(type)),
    created_at: time(hook.createdAt),
    delivered_at: timeOrNull(hook.deliveredAt),
    failing_since: timeOrNull(hook.failingSince),
    old_secret_until: timeOrNull(hook.oldSecretUntil),
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
    operation({
      ...shared,
      route: 'POST /events/hooks',
      operationId: 'createHook',
      summary: 'New hook',
      description: `Has an address told of change events, as they are seen: ${offered.length} types, see \`docs/use/events.md\`. It costs the campus nothing unless \`refresh\` asks for it. Each delivery is signed (Standard Webhooks 1.0), is repeated for about three days until the receiver answers 2xx within 15 seconds, and arrives at least once: drop a \`webhook-id\` that came before. Ends with a logout everywhere, changed passwords, and the session that made it being revoked from another one, unless \`keep\` names \`hooks\`. At most five.`,
      body: hookRequest(offered),
      data: MadeHook,
      message: '事件推送创建成功',
      failures: ['HOOK_LIMIT', 'SERVICE_UNAVAILABLE'],
      run: async (call) => {
        const { low_kwh: given, ...body } = call.body;
        const wish = { ...defaults, ...body, lowKwh: thresholdOf(body.types, given) };
        requireTarget(wish);
        const { hook, secret } = await hooks.make(call.student, wish);
        return { ...present(hook), secret };
      },
    }),
    operation({
      ...shared,
      route: 'GET /events/hooks',
      operationId: 'listHooks',
      summary: 'Hooks of the student',
      description: 'With their state, and without their secrets.',
      data: HookList,
      message: '获取事件推送成功',
      failures: ['SERVICE_UNAVAILABLE'],
      run: async (call) => ({ hooks: (await hooks.list(call.student)).map(present) }),
    }),
    operation({
      ...shared,
      route: 'PATCH /events/hooks/:id',
      operationId: 'changeHook',
      summary: 'Change a hook',
      description: 'What is left out stays as it is. Its secret stays too.',
      params: HookPath,
      body: hookChangeRequest(offered),
      data: HookAnswer,
      message: '事件推送已修改',
      example: { body: { active: true } },
      failures: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
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
    operation({
      ...shared,
      route: 'POST /events/hooks/:id/rotate',
      operationId: 'rotateHook',
      summary: 'New secret for a hook',
      description: 'For 24 hours both secrets sign, so that the receiver can change over.',
      params: HookPath,
      data: MadeHook,
      message: '事件推送密钥已更换',
      failures: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      run: async (call) => {
        const { hook, secret } = await hooks.rotate(call.student, call.params.id);
        return { ...present(hook), secret };
      },
    }),
    operation({
      ...shared,
      route: 'POST /events/hooks/:id/test',
      operationId: 'testHook',
      summary: 'Test a hook',
      description:
        'Has it told of a `test.ping`, once, whatever its state; its deliveries show what came of it. Ten times an hour, repetitions of deliveries included.',
      params: HookPath,
      data: Done,
      message: '测试消息已发出',
      failures: ['NOT_FOUND', 'COOLDOWN', 'SERVICE_UNAVAILABLE'],
      run: async (call) => {
        await hooks.test(call.student, call.params.id);
        return done;
      },
    }),
    operation({
      ...shared,
      route: 'GET /events/hooks/:id/deliveries',
      operationId: 'listDeliveries',
      summary: 'Last deliveries of a hook',
      description: 'When, with which status and how long it took.',
      params: HookPath,
      data: DeliveryList,
      message: '获取推送记录成功',
      failures: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      run: async (call) => ({
        deliveries: (await hooks.deliveries(call.student, call.params.id)).map(presentDelivery),
      }),
    }),
    operation({
      ...shared,
      route: 'POST /events/hooks/:id/deliveries/:delivery/again',
      operationId: 'repeatDelivery',
      summary: 'Repeat a delivery',
      description: 'Sends the same event with the same `webhook-id` once more. Ten times an hour, tests included.',
      params: DeliveryPath,
      data: Done,
      message: '推送已重新发出',
      failures: ['NOT_FOUND', 'COOLDOWN', 'SERVICE_UNAVAILABLE'],
      run: async (call) => {
        await hooks.again(call.student, call.params.id, call.params.delivery);
        return done;
      },
    }),
    operation({
      ...shared,
      route: 'DELETE /events/hooks/:id',
      operationId: 'deleteHook',
      summary: 'Delete a hook',
      description:
        'It is told nothing from then on. A delivery under way is broken off at once, within 2 s at another replica; it may have arrived.',
      params: HookPath,
      data: Done,
      message: '事件推送已删除',
      failures: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      run: async (call) => {
        await hooks.end(call.student, call.params.id);
        return done;
      },
    }),
  ];
};
