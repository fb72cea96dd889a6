// What is kept beside the nodes: found by owner and state, changed by operations, and replayed from them.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { START } from "../../../test/store-plan.js";
import { changeItem, createItem, type Item } from "../../model/item/item.js";
import type { Lesson } from "../../model/item/lesson.js";
import { ok } from "../../model/result.js";
import type { Store, Writer } from "../store.js";

const INTENT = { actor: "human:ada", verb: "test", now: () => START, commit: null };

const memory = (text: string, scope: number | null = null): Lesson => ({
  state: "kept",
  text,
  keywords: ["word"],
  scope,
  source: "person",
  createdAt: START,
  createdBy: "human:ada",
});

export function describeItems(open: () => Promise<Store>): void {
  describe("items", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      expect((await store.verify()).differences).toEqual([]);
      await store.close();
    });

    const commit = async (decide: (writer: Writer) => Promise<readonly ReturnType<typeof createItem>[]>) => {
      const result = await store.commit(INTENT, async (writer) =>
        ok({ sentence: "did", changes: await decide(writer), value: null }),
      );
      if (!result.ok) throw new Error(result.error.message);
      return result.value;
    };
    const keep = (...entries: [string, Lesson][]) =>
      commit(async () => entries.map(([key, fields]) => createItem("lesson", key, fields)));
    const find = (key: string): Promise<Item<"lesson"> | undefined> =>
      store.read((reader) => reader.item("lesson", key));

    it("keeps what it is given, and finds it by key, owner and state", async () => {
      await keep(["MEM-1", memory("one")], ["MEM-2", memory("two", 7)]);
      await keep(["MEM-10", { ...memory("ten"), state: "forgotten" }]);
      expect(await find("MEM-1")).toEqual({
        entity: "lesson",
        key: "MEM-1",
        fields: memory("one"),
        revision: 1,
        updatedAt: START,
      });
      expect(await find("MEM-3")).toBeUndefined();
      const keys = (query: Parameters<Parameters<Parameters<Store["read"]>[0]>[0]["items"]>[1]) =>
        store.read(async (reader) => (await reader.items("lesson", query)).map(({ key }) => key));
      expect(await keys({})).toEqual(["MEM-1", "MEM-2", "MEM-10"]);
      expect(await keys({ newest: true, limit: 2 })).toEqual(["MEM-10", "MEM-2"]);
      expect(await keys({ owner: "7" })).toEqual(["MEM-2"]);
      expect(await keys({ owner: "", state: "kept" })).toEqual(["MEM-1"]);
      expect(await store.read((reader) => reader.items("record", {}))).toEqual([]);
    });

    it("changes the fields that differ, one revision further, and says so in the log", async () => {
      await keep(["MEM-1", memory("one")]);
      const { op } = await commit(async (writer) => {
        const item = (await writer.item("lesson", "MEM-1")) as Item<"lesson">;
        return changeItem(item, { text: "other", state: "forgotten", keywords: ["word"] });
      });
      expect(await find("MEM-1")).toMatchObject({ fields: { text: "other", state: "forgotten" }, revision: 2 });
      expect(await store.read((reader) => reader.items("lesson", { state: "forgotten" }))).toHaveLength(1);
      expect(await store.read((reader) => reader.changes(op as number))).toEqual([
        {
          entity: "lesson",
          key: "MEM-1",
          before: { text: "one", state: "kept" },
          after: { text: "other", state: "forgotten" },
        },
      ]);
    });

    it("takes an item away, and leaves nothing of a refused operation", async () => {
      await keep(["MEM-1", memory("one")]);
      await commit(async () => [{ entity: "lesson", key: "MEM-1", before: { ...memory("one") }, after: null }]);
      expect(await find("MEM-1")).toBeUndefined();
      await expect(
        store.commit(INTENT, async (writer) => {
          await writer.keep("a long text");
          throw new Error("no");
        }),
      ).rejects.toThrow("no");
      expect((await store.verify()).rows).toBe(0);
    });

    it("counts by prefix, and keeps the same text once under its hash", async () => {
      let hash = "";
      await commit(async (writer) => {
        expect([await writer.number("RUN"), await writer.number("RUN", 3), await writer.number("ESC")]).toEqual([
          1, 2, 1,
        ]);
        expect(await writer.number("RUN")).toBe(5);
        hash = await writer.keep("naïve text\n");
        expect(await writer.keep("naïve text\n")).toBe(hash);
        return [createItem("lesson", "MEM-1", memory("one"))];
      });
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(await store.read((reader) => reader.document(hash))).toBe("naïve text\n");
      expect(await store.read((reader) => reader.document("0".repeat(64)))).toBeUndefined();
    });
  });
}
