// Finds items by the key that was typed.

import type { Entity, Item } from "../../model/item/item.js";
import { readKey } from "../../model/item/item-key.js";
import { type NextStep, step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";

interface Naming {
  readonly noun: string;
  readonly prefixes: Readonly<Record<string, number>>;
  /** What lists them. */
  readonly list: NextStep;
}

const RECORD_KEYS = { DEC: 3, CON: 3, REQ: 3, ASM: 3, BAS: 3 };

export type NamedEntity = Extract<
  Entity,
  "record" | "question" | "lesson" | "artifact" | "run" | "attempt" | "conflict"
>;

const NAMES: Readonly<Record<NamedEntity, Naming>> = {
  record: { noun: "record", prefixes: RECORD_KEYS, list: step("record.list", { all: true }) },
  question: { noun: "question", prefixes: { ESC: 3 }, list: step("question.list", { all: true }) },
  lesson: { noun: "lesson", prefixes: { MEM: 3 }, list: step("lesson.list") },
  artifact: { noun: "artifact", prefixes: { ART: 5 }, list: step("artifact.list") },
  run: { noun: "planning run", prefixes: { RUN: 3 }, list: step("plan.list") },
  attempt: { noun: "attempt", prefixes: { ATT: 5 }, list: step("attempt.list", { all: true }) },
  conflict: { noun: "conflict", prefixes: { CONFLICT: 5 }, list: step("conflicts.list") },
};

export const NAMED_ENTITIES = Object.keys(NAMES) as NamedEntity[];

/** What a key such as `RUN-001` names; undefined if it is no key. */
export const entityOfKey = (typed: string): NamedEntity | undefined =>
  NAMED_ENTITIES.find((entity) => readKey(typed, NAMES[entity].prefixes) !== undefined);

export async function findItem<E extends NamedEntity>(
  reader: Reader,
  entity: E,
  typed: string,
): Promise<Result<Item<E>>> {
  const { noun, prefixes, list } = NAMES[entity];
  const key = readKey(typed, prefixes);
  const item = key === undefined ? undefined : await reader.item(entity, key);
  if (item) return ok(item);
  return absent("not-found", `There is no ${noun} ${typed.slice(0, 60)}.`, { next: [list] });
}

/** Returns all of them, each once, or a refusal for the first that is not there. */
export async function findItems<E extends NamedEntity>(
  reader: Reader,
  entity: E,
  typed: readonly string[],
): Promise<Result<Item<E>[]>> {
  const found = new Map<string, Item<E>>();
  for (const each of typed) {
    const item = await findItem(reader, entity, each);
    if (!item.ok) return item;
    found.set(item.value.key, item.value);
  }
  return ok([...found.values()]);
}
