import { byText } from '../../lib/text.ts';
import { dayNumber, dayText } from '../../lib/time.ts';

const dateForm = /(?<!\d)((?:19|20)\d\d)([-/.年]?)(\d{1,2})\2?(?:月)?(\d{1,2})日?(?!\d)/;
const timeForm = /(?<!\d)([0-2]?\d):([0-5]\d)(?::([0-5]\d))?(?!\d)/;
export const times = new RegExp(timeForm, 'g');
/** A date with or without a time, as campuses write both. */
export const moments =
  /(?<!\d)(?:19|20)\d\d(?:(\d\d)(\d\d)(?!\d)|([-/.])\d{1,2}\3\d{1,2}(?!\d)|年\d{1,2}月\d{1,2}日?)(?:[ T]?[0-2]?\d:[0-5]\d(?::[0-5]\d)?)?/g;

export interface CampusMoment {
  readonly day: string;
  readonly time: string;
}

export const campusMomentIn = (text: string): CampusMoment | null => {
  const [, year = '', , month = '', date = ''] = dateForm.exec(text) ?? [];
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (year === '' || dayNumber(day) === null) return null;
  const [whole = ''] = timeForm.exec(text.slice(text.search(dateForm) + 6)) ?? [];
  return { day, time: whole };
};

/** The half of a school year in which a day lies, by the day on which we begin to count in it. */
const firstOf = (day: string): string => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  if (month >= 2 && month < 8) return `${year}-03-01`;
  return `${month === 1 ? year - 1 : year}-09-01`;
};

const pad = (part: number): string => String(part).padStart(2, '0');

/** All moments of a recording, which keep their order. */
export const orderMoments = (texts: Iterable<string>): ReadonlyMap<string, CampusMoment> => {
  const days = Map.groupBy(
    [...texts].flatMap((text) => campusMomentIn(text) ?? []),
    ({ day }) => day,
  );
  const counts = new Map<string, number>();
  const result = new Map<string, CampusMoment>();
  for (const day of [...days.keys()].toSorted()) {
    const first = firstOf(day);
    const nth = counts.get(first) ?? 0;
    counts.set(first, nth + 1);
    const moved = dayText((dayNumber(first) ?? 0) + nth);
    result.set(`${day} `, { day: moved, time: '' });
    const times = new Set((days.get(day) ?? []).map(({ time }) => time).filter((time) => time !== ''));
    const ordered = [...times].toSorted((a, b) => byText(a.padStart(8, '0'), b.padStart(8, '0')));
    for (const [at, time] of ordered.entries()) {
      const clock = `${pad(8 + Math.floor(at / 60))}:${pad(at % 60)}`;
      result.set(`${day} ${time}`, { day: moved, time: /:\d\d:/.test(time) ? `${clock}:00` : clock });
    }
  }
  return result;
};

/** The day in the form of `text`, which pads its parts or does not. */
export const writeLike = (text: string, { day, time }: CampusMoment): string => {
  const [, , sign = '', month = '', date = ''] = dateForm.exec(text) ?? [];
  const short = sign !== '' && sign !== '-' && !month.startsWith('0') && !date.startsWith('0');
  const parts = day.split('-').map((part) => (short ? String(Number(part)) : part));
  const written = sign === '年' ? `${parts[0]}年${parts[1]}月${parts[2]}日` : parts.join(sign);
  return text
    .replace(dateForm, sign === '年' && !text.includes('日') ? written.slice(0, -1) : written)
    .replace(timeForm, time);
};
