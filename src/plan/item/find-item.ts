// Finds items by the key that was typed.

import type { Entity, Item } from "../../model/item/item.js";
import { type ItemPrefix, readKey } from "../../model/item-key.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { absent, ambiguous, ok, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";

interface Naming {
  readonly noun: string;
  readonly prefixes: readonly ItemPrefix[];
  /** What lists them. */
  readonly list: NextStep;
}

const RECORD_KEYS: readonly ItemPrefix[] = ["DEC", "CON", "REQ", "ASM", "BAS"];

export type NamedEntity = Extract<
  Entity,
  "record" | "question" | "lesson" | "artifact" | "run" | "attempt" | "conflict"
>;

const NAMES: Readonly<Record<NamedEntity, Naming>> = {
  record: { noun: "record", prefixes: RECORD_KEYS, list: step("record.list", { all: true }) },
  question: { noun: "question", prefixes: ["ESC"], list: step("question.list", { all: true }) },
  lesson: { noun: "lesson", prefixes: ["MEM"], list: step("lesson.list") },
  artifact: { noun: "artifact", prefixes: ["ART"], list: step("artifact.list") },
  run: { noun: "planning run", prefixes: ["RUN"], list: step("plan.list") },
  attempt: { noun: "attempt", prefixes: ["ATT"], list: step("attempt.list", { all: true }) },
  conflict: { noun: "conflict", prefixes: ["CONFLICT"], list: step("conflicts.list") },
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
  const node = item && (await reader.byIds([typed.trim()]))[0];
  if (item && node) return ambiguous("ambiguous", namesBoth(node, entity, item.key));
  if (item) return ok(item);
  return absent("not-found", `There is no ${noun} ${typed.slice(0, 60)}.`, { next: [list] });
}

/** Why the id of a node chooses nothing where it is also the key of an item; undefined if it is none. New nodes get no such id. */
export async function alsoAnItem(reader: Reader, node: Node): Promise<Result<never> | undefined> {
  const entity = entityOfKey(node.id);
  const found = entity && (await findItem(reader, entity, node.id));
  return found && !found.ok && found.error.reason === "ambiguous" ? found : undefined;
}

function namesBoth({ id, title, uuid }: Node, entity: NamedEntity, key: string): string {
  // A key may be typed with more zeros than it has.
  const [prefix = "", number = ""] = key.split("-");
  const other = `${prefix}-${"0".repeat(Math.max(1, id.length - key.length + 1))}${number}`;
  return `"${id}" is a ${NAMES[entity].noun} and also a node. Name the one that you mean:\n  ${other}  the ${NAMES[entity].noun}\n  ${uuid}  the node "${title}"`;
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
