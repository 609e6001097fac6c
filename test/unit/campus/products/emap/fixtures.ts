import { isFailure } from '../../../../../src/domain/errors.ts';

type Row = Readonly<Record<string, unknown>>;

/** An answer as the product makes it. */
export const answer = (name: string, rows: unknown, more: Row = {}, code: unknown = '0'): string =>
  JSON.stringify({
    code,
    datas: { [name]: { totalSize: Array.isArray(rows) ? rows.length : 0, rows, extParams: { code: 1 }, ...more } },
  });

export const place: Row = {
  KCM: '微观经济学',
  KCH: 'ECO1201',
  KXH: '01',
  JXBID: 'J1',
  KBID: 'K1',
  SKJS: '周明,许静',
  JASMC: '明理楼308',
  XXXQMC: '东校区',
  SKXQ: 1,
  KSJC: '1',
  JSJC: 2,
  SKZC: '101010101111111100',
  ZCMC: '1-9周(单),10-16周',
  XF: 3,
  XH: '2023000001',
};

export const untimed: Row = {
  KCM: '体育(二)',
  KCH: 'PED1001',
  KXH: '07',
  SKJS: null,
  JASMC: null,
  SKXQ: null,
  KSJC: null,
  JSJC: null,
  SKZC: null,
  ZCMC: null,
  XF: '1',
};

/** What a reader makes of a text: the failure where it throws one. */
export const outcomeOf = <T>(
  read: () => T,
): T | { kind: string; upstreamMessage: string | undefined; reason: string | undefined } => {
  try {
    return read();
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { kind, reason } = error;
    return { kind, upstreamMessage: isFailure(error, 'upstream-refused') ? error.upstreamMessage : undefined, reason };
  }
};

export const refusedWith = (upstreamMessage: string | undefined) => ({
  kind: 'upstream-refused',
  upstreamMessage,
  reason: undefined,
});
export const unreadable = { kind: 'upstream-unreadable' };
