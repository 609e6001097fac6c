import type { Present } from './calendar.ts';

/** Where the first two students live. */
export const SHARED_ROOM = { code: '010101', name: '松园1号-101' } as const;
const RESIDENTS = [1, 2];

export const PURCHASE_TIME = '20:15';
export const PURCHASE_AMOUNT = '50.00';

/** As far back as anything tells of them. */
const DAYS = 40;

/**
 * Days on which the student whose number ends with this digit has bought electricity for the room, newest first: once a
 * month. The card, its statement and the meter tell of them.
 */
export const purchaseDaysOf = (own: number, { today, time }: Pick<Present, 'today' | 'time'>): readonly number[] =>
  RESIDENTS.includes(own)
    ? Array.from({ length: DAYS }, (_, age) => today - age).filter(
        (day) => day % 30 === own && (day < today || time >= PURCHASE_TIME),
      )
    : [];

export const purchaseDaysOfRoom = (present: Pick<Present, 'today' | 'time'>): readonly number[] =>
  RESIDENTS.flatMap((own) => purchaseDaysOf(own, present));
