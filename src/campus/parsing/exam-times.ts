import type { Exam } from '../../domain/academics/exams.ts';
import { datesIn, hoursAlone, isZoned, statesNoTime, statesSeveralDays, withoutDates } from '../../lib/moments.ts';

type When = Pick<Exam, 'date' | 'time'>;

/** How a day alone is written where a moment is due. */
const midnight = /^0?0:00(?::00(?:\.0+)?)?$/;

/**
 * `09:00-11:00` where a text states that alone, else its words, which may shift the hours; `""` for midnight and for what
 * names a weekday alone.
 */
const timeIn = (text: string): string => {
  const words = text.trim();
  if (midnight.test(words) || statesNoTime(words)) return '';
  return /[午晚晨]|[ap]\.?m/i.test(words) ? words : (hoursAlone(words) ?? words);
};

export const statesDay = (text: string): boolean => datesIn(text).length > 0 || isZoned(text);

/**
 * Day and hours of an exam, which may stand in one cell. A cell that says more than one day stays visible in the text of the
 * hours, because the day alone would hide it; a moment of another clock stays what it is, for `atCampus`.
 */
export const whenIn = (stated: string, hours = ''): When => {
  if (isZoned(stated)) return { date: stated, time: hours };
  const [date] = datesIn(stated);
  if (date === undefined) return stated === '' && statesDay(hours) ? whenIn(hours) : { date: stated, time: hours };
  if (statesSeveralDays(stated)) return { date, time: [stated, hours].filter((text) => text !== '').join(' ') };
  return { date, time: hours === '' ? timeIn(withoutDates(stated)) : hours };
};

/** The same for a product with one cell for both: without a day there is none, and words are no hours. */
export const whenInOne = (text: string): When => {
  if (statesDay(text)) return whenIn(text);
  const time = timeIn(text);
  return { date: '', time: /\d/.test(time) ? time : '' };
};

/** With hours of the 24 in place of words, where those leave no doubt. */
export const inHours = ({ date, time }: When): When => ({ date, time: hoursAlone(time) ?? time });

/** Written where a seat is due and there is none yet. */
const noSeat = /^(?:null|无|暂无|[-—/]*|(?:未|待)(?:安排|排|定))$/;

/** The seat that a cell states; null: it states none. */
export const seatOf = (cell: string): string | null => {
  const seat = cell.replace(/[;；,，。]$/, '').trim();
  return noSeat.test(seat) ? null : seat;
};

/** The note of an exam with that seat. */
export const seatNote = (cell: string): string => {
  const seat = seatOf(cell);
  return seat === null ? '' : `座位号: ${seat}`;
};
