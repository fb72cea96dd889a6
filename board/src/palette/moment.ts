// A moment in words: `1192`, `16:00`, `yesterday 16:00`, `14 nov 9:30`. The last operation at or before it. Pure.

interface Logged {
  readonly op: number;
  readonly at: string;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY = 86_400_000;

/** Milliseconds, or undefined if the words name no moment. */
export function momentIn(text: string, now: number): number | undefined {
  const words = text.trim().toLowerCase();
  const time = /(\d{1,2}):(\d{2})/.exec(words);
  const named = /(\d{1,2})\s+([a-z]{3})/.exec(words);
  const day = new Date(words.includes("yesterday") ? now - DAY : now);
  const month = named ? MONTHS.indexOf(named[2] ?? "") : -1;
  if (named && month >= 0) day.setMonth(month, Number(named[1]));
  else if (!time && !/yesterday|today/.test(words)) return undefined;
  if (time) day.setHours(Number(time[1]), Number(time[2]), 59, 999);
  else day.setHours(23, 59, 59, 999);
  return Number.isNaN(day.getTime()) ? undefined : day.getTime();
}

/** `log`: the newest first. */
export function findMoment<Row extends Logged>(text: string, log: readonly Row[], now: number): Row | undefined {
  const number = /^#?(\d{1,12})$/.exec(text.trim());
  if (number) return log.find(({ op }) => op <= Number(number[1]));
  const moment = momentIn(text, now);
  return moment === undefined ? undefined : log.find(({ at }) => Date.parse(at) <= moment);
}
