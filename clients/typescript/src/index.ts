export type { components } from './api.ts';
export {
  type Challenge,
  type PersonOptions,
  type PersonSays,
  renewWithPerson,
  walkChallenge,
  withPerson,
} from './challenge.ts';
export { type CampusClient, type ClientOptions, createClient } from './client.ts';
export {
  type Advice,
  CampusError,
  type Detail,
  type ErrorCode,
  type FailedSystem,
  type FailureReason,
  isCampusError,
} from './errors.ts';
export type { ChangeEvent, FollowEventsOptions } from './events.ts';
export { type FollowOptions, followEvaluation, followUntil } from './follow.ts';
export type { Freshness } from './freshness.ts';
export { type HookCall, type HookMessage, HookRefused, verifyHook } from './hooks.ts';
export type { Operations } from './methods.ts';
export { operations } from './operations.ts';
export { createToken, type Token, type TokenState } from './token.ts';
export type { Answer, CallOptions, Data, Input, OperationId } from './types.ts';
