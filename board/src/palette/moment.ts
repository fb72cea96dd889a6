// A moment in words: `1192`, `16:00`, `yesterday 16:00`, `14 nov 9:30`. What to ask the log for: the last operation at or before it. Pure.

import type { Input } from "../api/types.js";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const LATEST = 6;

/** Milliseconds, or undefined if the words name no moment. */
export function momentIn(text: string, now: number): number | undefined {
  const words = text.trim().toLowerCase();
  const time = /(\d{1,2}):(\d{2})/.exec(words);
  const named = /(\d{1,2})\s+([a-z]{3})/.exec(words);
  const day = new Date(now);
  // By the calendar: a day has 23 or 25 hours now and then.
  if (words.includes("yesterday")) day.setDate(day.getDate() - 1);
  const month = named ? MONTHS.indexOf(named[2] ?? "") : -1;
  if (named && month >= 0) {
    day.setMonth(month, Number(named[1]));
    // A day of this year that is still to come was last year's.
    if (day.getTime() > now && new Date(now).toDateString() !== day.toDateString())
      day.setFullYear(day.getFullYear() - 1);
  } else if (!time && !/yesterday|today/.test(words)) return undefined;
  if (time) day.setHours(Number(time[1]), Number(time[2]), 59, 999);
  else day.setHours(23, 59, 59, 999);
  return Number.isNaN(day.getTime()) ? undefined : day.getTime();
}

/** Words that name no moment ask for the latest operations. */
export function momentQuery(text: string, now: number): Input<"log"> {
  const number = /^#?(\d{1,12})$/.exec(text.trim());
  if (number) return { before: Number(number[1]) + 1, limit: 1 };
  const moment = momentIn(text, now);
  return moment === undefined ? { limit: LATEST } : { until: new Date(moment).toISOString(), limit: 1 };
}
