import type { CallContext } from '../../domain/context.ts';

/** What could not be used is never dropped silently. */
export const logDropped = (context: CallContext, page: string, dropped: number): void => {
  if (dropped > 0) context.log.warn({ system: 'academics', page, dropped }, 'unusable upstream rows dropped');
};
