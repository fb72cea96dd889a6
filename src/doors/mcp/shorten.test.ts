import * as fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { makeMcpRig } from "../../../test/mcp.js";
import { harmless } from "../../verbs/kit/wording.js";
import { BUDGET, fitBudget, pageOf, tidy } from "./shorten.js";

const tokens = (text: string): number => encode(text).length;

describe("an answer", () => {
  it("leaves out what is empty, noise or secret", () => {
    const node = { id: "A", uuid: "u", body: "", files: [], claim: null, task: { token: "t", epoch: 1, n: 0 } };
    expect(tidy(node, false)).toEqual({ id: "A", task: { n: 0 } });
    expect(tidy(node, true)).toEqual({ ...node, task: { epoch: 1, n: 0 } });
  });

  it("obeys no terminal", () => {
    expect(tidy({ title: "\u001b[31mred\u0007\u202e" }, true)).toEqual({ title: "⟨U+001B⟩[31mred⟨U+0007⟩⟨U+202E⟩" });
    expect(harmless("a\nb\tc")).toBe("a\nb\tc");
  });

  it("stays as it is when it fits, and counts what is missing when it does not", () => {
    expect(fitBudget({ a: 1 }, 100)).toEqual({ value: { a: 1 }, isCut: false });
    const { value, isCut } = fitBudget({ list: Array.from({ length: 500 }, (_, i) => `entry ${i}`) }, 200);
    expect(isCut).toBe(true);
    expect(value).toMatchObject({ listMore: expect.any(Number) });
  });

  it("fits its budget whatever is in it", () => {
    const text = fc.oneof(fc.string({ maxLength: 4_000, unit: "grapheme" }), fc.lorem({ maxCount: 300 }));
    const thing = fc.record({ title: text, body: text, files: fc.array(text, { maxLength: 60 }), n: fc.integer() });
    fc.assert(
      fc.property(thing, (value) => {
        expect(tokens(JSON.stringify(fitBudget(value, BUDGET.one).value))).toBeLessThanOrEqual(BUDGET.one);
      }),
      { numRuns: 60 },
    );
  });

  it("comes in pages that together are the whole list", () => {
    fc.assert(
      fc.property(
        fc.array(fc.lorem({ maxCount: 40 }), { maxLength: 120 }),
        fc.integer({ min: 100, max: 2_000 }),
        (list, budget) => {
          const seen: unknown[] = [];
          for (let from: number | undefined = 0; from !== undefined; ) {
            const page = pageOf(list, from, budget);
            seen.push(...page.items);
            from = page.from;
          }
          expect(seen).toHaveLength(list.length);
        },
      ),
      { numRuns: 40 },
    );
  });
});

const LONG =
  "The parser reads the file line by line, keeps the position of each word, and reports what it does not know. ";

describe("a large plan", () => {
  it("is told in answers of the promised size", async () => {
    const { ask, connect } = await makeMcpRig();
    await ask("add", {
      nodes: Array.from({ length: 120 }, (_, i) => ({
        title: `Task number ${i}: ${LONG.slice(0, 60)}`,
        parent: "FEAT-001",
        body: LONG.repeat(40),
        files: Array.from({ length: 30 }, (__, j) => `src/deeply/nested/folder/module-${i}-${j}.ts`),
        checks: ["npm run a-rather-long-command -- --with-a-flag", "npm test"],
      })),
    });
    const { call } = await connect();
    const task = await call("show", { reference: "TASK-00001" });
    expect(tokens(task.text)).toBeLessThanOrEqual(600);
    expect(task.data).toMatchObject({
      id: "TASK-00001",
      status: "planned",
      reason: "unapproved",
      cut: expect.any(String),
    });
    const whole = await call("show", { reference: "TASK-00001", detail: true });
    expect(whole.data.body).toBe(LONG.repeat(40));
    const ids: string[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page = await call("find", { action: "list", tier: ["task"], from });
      expect(tokens(page.text)).toBeLessThanOrEqual(1_500);
      ids.push(...page.data.nodes.map(({ id }: { id: string }) => id));
      from = page.data.from;
    }
    // One of them lands a feature: Login.
    expect(new Set(ids).size).toBe(121);
    expect(ids).toHaveLength(121);
    for (const action of ["tree", "waiting", "log", "records", "questions"])
      expect(tokens((await call("find", { action })).text)).toBeLessThanOrEqual(1_500);
  });
});
