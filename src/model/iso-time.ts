const UNKNOWN_TIME = "0000-00-00T00:00:00.000Z";

/** A damaged time, which no calendar has, must not hide everything around it: `verify` reports it. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? UNKNOWN_TIME : date.toISOString();
}

const twoDigits = (part: number): string => String(part).padStart(2, "0");

/** As people read it, in the time zone of this machine: `2026-11-20 01:32`. What programs read is ISO. */
export function localMinute(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return "0000-00-00 00:00";
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

export const localSecond = (ms: number): string => `${localMinute(ms)}:${twoDigits(new Date(ms).getSeconds() || 0)}`;
