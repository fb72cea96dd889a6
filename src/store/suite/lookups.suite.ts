// Finding nodes by their text and their files: whatever is written, moved, taken back or edited, an index leaves out nothing that
// looking at every node finds.

import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { everything, find, StorePlan } from "../../../test/store-plan.js";
import { matchesGlob } from "../../model/conflict/glob.js";
import type { Node } from "../../model/node/node.js";
import { removeNode } from "../../model/operation/change.js";
import { gramsOfAll, gramsOfPhrase, gramsOfSearch } from "../../model/searched-text.js";
import { relevanceOf } from "../../model/words.js";
import type { ListQuery, Store } from "../store.js";

const PARTS = [
  "log",
  "Log",
  "ing",
  " in ",
  "é",
  "É",
  "e\u0301",
  "ﬁle",
  "数据",
  "库",
  "Σ",
  "ΟΔΟΣ",
  "İ",
  "ß",
  "_",
  "%",
  '"',
  "🚀",
  "x",
  "s",
  "-",
  "\n",
];
const text = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
const PATTERNS = [
  "src/**",
  "src/a.ts",
  "src/*.ts",
  "a.ts",
  "*.ts",
  "/src",
  "lib/a.ts",
  "src/auth",
  "**/auth/*.ts",
  "./src/a.ts",
];
const PATHS = ["src/a.ts", "src/auth/b.ts", "lib/a.ts", "lib/auth/a.ts", "a.ts", "src/**", "docs/x.md", "src"];

export function describeLookups(open: () => Promise<Store>): void {
  describe("lookups", () => {
    let plan: StorePlan;
    const numbers = (query: ListQuery): Promise<Set<number>> =>
      plan.store.read(async (reader) => {
        const found: number[] = [];
        for await (const page of reader.listings(query)) found.push(...page.map(({ nr }) => nr));
        expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
        return new Set(found);
      });
    const fitting = async (fits: (node: Node) => boolean): Promise<number[]> =>
      (await plan.store.read(everything)).filter(fits).map(({ nr }) => nr);
    const expectFound = async (fits: (node: Node) => boolean, query: ListQuery): Promise<void> => {
      const found = await numbers(query);
      expect((await fitting(fits)).filter((nr) => !found.has(nr))).toEqual([]);
    };

    beforeEach(async () => {
      plan = new StorePlan(await open());
      await plan.add(
        { id: "MISSION", tier: "mission", title: "Ship it" },
        { id: "FEAT-A", tier: "feature", parent: "MISSION", title: "Log in" },
      );
    });
    afterEach(() => plan.store.close());

    const expectAll = async (sought: string, path: string): Promise<void> => {
      const has = (whole: string): boolean => whole.toLowerCase().includes(sought.toLowerCase());
      await expectFound((node) => relevanceOf(sought, node) > 0 && node.id !== sought.trim(), {
        text: gramsOfSearch(sought),
      });
      await expectFound(({ title, body }) => has(title) || has(body), { text: gramsOfPhrase(sought) });
      await expectFound(({ id, title }) => has(`${id} ${title}`), { text: gramsOfAll([sought]) });
      await expectFound(({ files }) => files.some((each) => each === path || matchesGlob(each, path)), { file: path });
    };

    it("find every node that has the text or names the file, whatever was edited, and whatever was taken back", async () => {
      let made = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(text, text, fc.subarray(PATTERNS)), { minLength: 1, maxLength: 4 }),
          fc.array(fc.tuple(text, fc.constantFrom(...PATHS)), { minLength: 1, maxLength: 4 }),
          async (nodes, asked) => {
            const ids: string[] = [];
            for (const [title, body, files] of nodes) {
              const id = `T-${++made}`;
              const spec = { id, title: title.trim() || "x", body, files };
              await plan.add({ ...spec, parent: "FEAT-A" });
              ids.push(id);
            }
            for (const [sought, path] of asked) await expectAll(sought, path);
            const [first = "", ...rest] = ids;
            const [title, body] = [asked[0]?.[0].trim() || "y", nodes[0]?.[1] ?? ""];
            await plan.set(first, { title, body: `${body} edited`, files: ["src/auth"] });
            for (const id of rest) await plan.commit(async (writer) => [removeNode(await find(writer, id))]);
            for (const [sought, path] of asked) await expectAll(sought, path);
          },
        ),
        { numRuns: 40 },
      );
      expect((await plan.store.verify()).differences).toEqual([]);
    });

    it("read only what they find: not the nodes in between", async () => {
      await plan.add({ id: "T-1", parent: "FEAT-A", title: "A cookie", files: ["src/cookie.ts"] });
      await plan.add({ id: "T-2", parent: "FEAT-A", title: "A session", files: ["src/session.ts"] });
      const { nr } = await plan.node("T-1");
      expect(await numbers({ text: gramsOfPhrase("cookie") })).toEqual(new Set([nr]));
      expect(await numbers({ file: "src/cookie.ts" })).toEqual(new Set([nr]));
      expect(await numbers({ among: [nr, nr] })).toEqual(new Set([nr]));
    });
  });
}
