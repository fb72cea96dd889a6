import { describe, expect, it } from "vitest";
import { changeItem, createItem, ENTITIES, type Item, type ItemTypes, placeOf, rebaseItem } from "./item.js";
import type { Lesson } from "./lesson.js";

const FIELDS: Lesson = {
  state: "kept",
  text: "one",
  keywords: ["a"],
  scope: null,
  source: "person",
  createdAt: 1,
  createdBy: "human:ada",
};
const ITEM: Item<"lesson"> = { entity: "lesson", key: "MEM-1", fields: FIELDS, revision: 1, updatedAt: 1 };

describe("items", () => {
  it("are born whole", () => {
    expect(createItem("lesson", "MEM-1", FIELDS)).toEqual({
      entity: "lesson",
      key: "MEM-1",
      before: null,
      after: FIELDS,
    });
  });

  it("change in the fields that differ", () => {
    expect(changeItem(ITEM, { text: "one", keywords: ["a"] })).toEqual([]);
    expect(changeItem(ITEM, { text: "two", scope: null })).toEqual([
      { entity: "lesson", key: "MEM-1", before: { text: "one" }, after: { text: "two" } },
    ]);
  });

  it("hold no NUL, however deep it is", () => {
    const text = { text: "one\0two", keywords: ["a\0b", "c"] };
    const clean = { text: "one two", keywords: ["a b", "c"] };
    expect(createItem("lesson", "MEM-1", { ...FIELDS, ...text }).after).toEqual({ ...FIELDS, ...clean });
    expect(changeItem(ITEM, text)[0]?.after).toEqual(clean);
    expect(changeItem(ITEM, { ...text, approvedBy: undefined } as never)[0]?.after).toEqual(clean);
    expect(
      rebaseItem(ITEM, { ...createItem("lesson", "MEM-1", FIELDS), before: {}, after: { text: undefined } }),
    ).toEqual([{ entity: "lesson", key: "MEM-1", before: { text: "one" }, after: { text: undefined } }]);
  });

  it("go back in time as they are now", () => {
    const born = createItem("lesson", "MEM-1", FIELDS);
    const gone = { ...born, before: { ...FIELDS }, after: null };
    expect(rebaseItem(undefined, born)).toEqual([born]);
    expect(rebaseItem(ITEM, gone)).toEqual([gone]);
    expect(rebaseItem(ITEM, { ...born, before: { text: "x" }, after: { text: "two" } })).toEqual(
      changeItem(ITEM, { text: "two" }),
    );
  });

  it("are found by whose they are and how they stand", () => {
    const places: { [E in keyof ItemTypes]: [Partial<ItemTypes[E]>, string, string] } = {
      run: [{ status: "running" }, "", "running"],
      call: [{ run: "RUN-001", state: "asked" }, "RUN-001", "asked"],
      artifact: [{ run: "RUN-001", kind: "spec" }, "RUN-001", "spec"],
      record: [{ scope: 3, state: "active" }, "3", "active"],
      question: [{ owner: "RUN-001", state: "open" }, "RUN-001", "open"],
      lesson: [{ scope: 4, state: "kept" }, "4", "kept"],
      bundle: [{ task: 5, state: "current" }, "5", "current"],
      attempt: [{ task: 6, state: "working" }, "6", "live"],
      conflict: [{ second: 7, state: "open" }, "7", "open"],
      subscription: [{ actor: "human:ann", state: "active" }, "human:ann", "active"],
      level: [{ level: "auto" }, "", "auto"],
      comment: [{ node: 8, state: "kept" }, "8", "kept"],
      labels: [{ node: 9, state: "set" }, "9", "set"],
      claim: [{ task: 10, state: "kept" }, "10", "kept"],
      clone: [{ state: "other" }, "", "other"],
      person: [{ addedBy: "0123456789abcdef", state: "known" }, "0123456789abcdef", "known"],
      source: [{ state: "Backlog.md" }, "", "Backlog.md"],
    };
    for (const entity of ENTITIES) {
      const [fields, owner, state] = places[entity];
      expect(placeOf(entity, fields as never)).toEqual({ owner, state });
    }
    expect(placeOf("lesson", FIELDS).owner).toBe("");
    expect(placeOf("person", { addedBy: null, state: "known" } as never).owner).toBe("");
    expect(placeOf("attempt", { task: 6, state: "lost" } as never).state).toBe("lost");
    expect(placeOf("record", { scope: null, state: "active" } as never).owner).toBe("");
  });
});
