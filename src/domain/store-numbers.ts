import { guardNumbers } from './accounts/guard/numbers.ts';
import { inviteCodeIdLength } from './accounts/tokens/invitations.ts';
import { PROCESS_LIFE_MS } from './evaluation/types.ts';
import { journalLimits } from './events/ports.ts';
import { DELIVERY_LIFE_MS } from './hooks/ports.ts';
import { LONGEST_RETRY_MS } from './hooks/schedule.ts';
import { limits } from './limits.ts';
import { REPLICA_LIFE_MS } from './replicas.ts';

/** Numbers of the domain by which storage keeps rows; composition hands them over. */
export const storeNumbers = {
  endedTokens: guardNumbers.endedTokens,
  inviteCodeIdLength,
  uploads: limits.uploads,
  journal: journalLimits,
  deliveryLifeMs: DELIVERY_LIFE_MS,
  longestPauseMs: LONGEST_RETRY_MS,
  processLifeMs: PROCESS_LIFE_MS,
  replicaLifeMs: REPLICA_LIFE_MS,
} as const;

export type StoreNumbers = typeof storeNumbers;
