import { randomBytes } from 'node:crypto';

const idLength = 32;
const idsAtOnce = 128;

const createTraceIds = (): (() => string) => {
  let drawn = '';
  let used = 0;
  return () => {
    if (used === drawn.length) {
      // One draw for many costs what one for one does.
      drawn = randomBytes((idLength / 2) * idsAtOnce).toString('hex');
      used = 0;
    }
    used += idLength;
    return drawn.slice(used - idLength, used);
  };
};

/** 32 random lower-case hexadecimal characters, made before routing; what a client sends is never used. */
export const newTraceId = createTraceIds();
