// The value of a field, short enough to compare: who and why first, without ids and times that say nothing. Pure.

const SKIPPED: ReadonlySet<string> = new Set([
  "at",
  "until",
  "commit",
  "epoch",
  "op",
  "startedAt",
  "leaseUntil",
  "hash",
]);
const LONGEST = 400;

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text);

function inner(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(inner).join(", ");
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value);
  return Object.entries(value)
    .filter(
      ([key, part]) => !SKIPPED.has(key) && part !== null && part !== "" && !(Array.isArray(part) && part.length === 0),
    )
    .map(([key, part]) => `${key} ${inner(part)}`)
    .join("; ");
}

export const fieldWords = (value: unknown): string => cut(inner(value));
