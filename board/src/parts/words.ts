// Numbers and times as people read them. Pure.

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const GRADE_NOUNS: ReadonlySet<string> = new Set(["error", "warning", "remark", "blocker"]);

/** `3 warnings`, `1 remark`, `2 major`. */
export const gradeWords = (count: number, grade: string): string =>
  GRADE_NOUNS.has(grade) ? plural(count, grade) : `${count} ${grade}`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago: `now`, `22 min`, `3 h`, `2 d`. */
export function ago(since: number, now: number): string {
  const passed = Math.max(0, now - since);
  if (passed < MINUTE) return "now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h`;
  return `${Math.floor(passed / DAY)} d`;
}

/** `340 ms`, `2.1 s`, `12:41`, `3:02:10`. */
export function lasted(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.round(ms / 1_000)} s`;
  const two = (value: number): string => String(value).padStart(2, "0");
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Estimates: `45 min`, `9 h`, `2.5 h`. */
export function hours(value: number): string {
  if (value > 0 && value < 1) return `${Math.round(value * 60)} min`;
  return `${Number.isInteger(value) ? value : value.toFixed(1)} h`;
}

/** `184`, `61k`, `1.2M`. */
export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Unknown is never $0. */
export const dollars = (usd: number | null | undefined): string =>
  usd === null || usd === undefined ? "unknown" : `$${usd.toFixed(2)}`;

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const CLOCK_SECONDS = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const LONG_DATE = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const EXACT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium" });

export const clock = (at: number): string => CLOCK.format(at);
export const clockSeconds = (at: number): string => CLOCK_SECONDS.format(at);
export const date = (at: number): string => DATE.format(at);
export const exact = (at: number): string => EXACT.format(at);
export const dayOf = (at: number): string => new Date(at).toDateString();

/** `Today, Wednesday 18 November`. */
export function dayHeading(at: number, now: number): string {
  const words = LONG_DATE.format(at);
  if (dayOf(at) === dayOf(now)) return `Today, ${words}`;
  return dayOf(at) === dayOf(now - DAY) ? `Yesterday, ${words}` : words;
}

/** Clock time today, the date before. */
export const when = (at: number, now: number): string =>
  dayOf(at) === dayOf(now) ? clock(at) : `${date(at)} ${clock(at)}`;

/** A sentence of the log beside the name of who did it. */
export const withoutActor = ({ actor, sentence }: { readonly actor: string; readonly sentence: string }): string =>
  sentence.startsWith(`${actor} `) ? sentence.slice(actor.length + 1) : sentence;

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `TASK-1, TASK-2 and 3 more`. */
export function named(ids: readonly string[], most = 3): string {
  if (ids.length === 0) return "";
  const shown = ids.slice(0, most);
  const more = ids.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more`;
  if (shown.length === 1) return shown[0] ?? "";
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
