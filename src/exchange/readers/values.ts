// Values as other tools write them, as texts, numbers and lists: what has another form is read as if it were not there.

import { isRecord } from "../../base/json.js";

export type Fields = Readonly<Record<string, unknown>>;

/** Own properties alone: a key such as `__proto__` or `constructor` finds nothing that the file did not say. */
export const fieldOf = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Numbers and dates as text; empty for everything else. */
export function fieldText(fields: Fields, ...names: readonly string[]): string {
  for (const name of names) {
    const value = fieldOf(fields, name);
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    if (value instanceof Date) return value.toISOString();
  }
  return "";
}

export function fieldNumber(fields: Fields, ...names: readonly string[]): number | null {
  const text = fieldText(fields, ...names).trim();
  const value = Number(text);
  return text === "" || !Number.isFinite(value) ? null : value;
}

export function listOf(fields: Fields, ...names: readonly string[]): readonly unknown[] {
  for (const name of names) {
    const value = fieldOf(fields, name);
    if (Array.isArray(value)) return value;
  }
  return [];
}

/** Also one text with commas. */
export function listedWords(fields: Fields, ...names: readonly string[]): string[] {
  const list = listOf(fields, ...names);
  const parts = list.length > 0 ? list : fieldText(fields, ...names).split(",");
  return parts.flatMap((part) => {
    const word = typeof part === "string" || typeof part === "number" ? String(part).trim() : "";
    return word === "" ? [] : [word];
  });
}

export const recordsOf = (fields: Fields, ...names: readonly string[]): Fields[] =>
  listOf(fields, ...names).filter((each): each is Fields => isRecord(each));

/** 0 to 4; null for everything else. */
export function validPriority(value: number | null): number | null {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= 4 ? value : null;
}

/** Sections of a body, without those that are empty. */
export const sections = (...parts: readonly (readonly [heading: string, text: string])[]): string =>
  parts
    .filter(([, text]) => text.trim() !== "")
    .map(([heading, text]) => (heading === "" ? text.trim() : `## ${heading}\n\n${text.trim()}`))
    .join("\n\n");
