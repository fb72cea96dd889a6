const UNKNOWN_TIME = "0000-00-00T00:00:00.000Z";

/** A damaged time, which no calendar has, must not hide everything around it: `verify` reports it. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? UNKNOWN_TIME : date.toISOString();
}
