/** Campus time: a text such as `2026-01-09 08:30:00`, compared and counted without a time zone of the browser. */

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

export const msOf = (text) => {
  const [date, time = '00:00:00'] = text.replace('T', ' ').split(' ');
  const [year, month, day] = date.split('-').map(Number);
  const [hour, minute, second = 0] = time.split(':').map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

let skew = 0;
/** Every answer says what time it is at the campus. */
export const setCampusTime = (timestamp) => {
  skew = msOf(timestamp) - Date.now();
};
export const nowMs = () => Date.now() + skew;

export const textOf = (ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
export const today = () => textOf(nowMs()).slice(0, 10);
export const daysUntil = (date) => Math.round((msOf(date.slice(0, 10)) - msOf(today())) / DAY);
export const minutesUntil = (text) => Math.ceil((msOf(text) - nowMs()) / MINUTE);
export const plusDays = (date, days) => textOf(msOf(date) + days * DAY).slice(0, 10);
/** 0 is Monday. */
export const weekdayOf = (date) => (new Date(msOf(date)).getUTCDay() + 6) % 7;

/** `0830` and `08:30:00` are both shown as `08:30`. */
export const clock = (time) => (/^\d{4}$/.test(time) ? `${time.slice(0, 2)}:${time.slice(2)}` : time.slice(0, 5));
export const timeOf = (text) => text.slice(11, 16);

const format = (options) => (text, language) =>
  new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { timeZone: 'UTC', ...options }).format(msOf(text));

export const longDate = format({ month: 'long', day: 'numeric', weekday: 'long' });
export const shortDate = format({ month: 'short', day: 'numeric' });
export const dateWithDay = format({ month: 'short', day: 'numeric', weekday: 'short' });
export const fullDate = format({ year: 'numeric', month: 'short', day: 'numeric' });
const dayNames = { long: format({ weekday: 'long' }), short: format({ weekday: 'short' }) };
/** The name of a weekday; 0 is Monday. */
export const dayName = (weekday, language, length = 'long') =>
  dayNames[length](plusDays('2026-01-05', weekday), language);

/** With the year only where it is another one. */
export const moment = (text, language) =>
  `${(text.slice(0, 4) === today().slice(0, 4) ? shortDate : fullDate)(text, language)} ${timeOf(text)}`.trim();
