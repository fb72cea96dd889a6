// What is wrong in a plan can only come from outside: here from SQL on the file of the store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { lint } from "../../../test/lint.js";
import { addAll, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { approve } from "../../plan/node/approve.js";
import { openSqlite } from "../../store/dialects/sqlite/sqlite.js";
import { createStore } from "../../store/open/create.js";
import { waves } from "../../verbs/insight/waves.js";
import { why } from "../../verbs/look/why-node.js";
import { edit } from "../../verbs/node/edit.js";

async function makeBreakable(): Promise<{ plan: TestPlan; sql: (...statements: string[]) => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-lint-"));
  const options = { path: join(folder, "plan.db"), durability: "normal", engine: "auto" } as const;
  const { store } = await createStore(options);
  const file = await openSqlite(options);
  onTestFinished(async () => {
    await store.close();
    await file.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const plan: TestPlan = { ...(await makePlan()), store };
  await addAll(plan, [
    { id: "MISSION", tier: "mission", title: "The mission" },
    { id: "FEAT-A", tier: "feature", title: "A", parent: "MISSION" },
    { id: "STORY-A", tier: "story", title: "A", parent: "FEAT-A" },
    ...["A", "B", "C"].map((id) => task(id)),
  ]);
  await file.run("pragma foreign_keys = off");
  await file.run("pragma ignore_check_constraints = on");
  const sql = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await file.run(statement);
  };
  return { plan, sql };
}

const nr = (id: string): string => `(select nr from node where id = '${id}')`;
const depend = (id: string, on: string): string[] => [
  `update node set depends_on = json_array(json_object('on', ${nr(on)}, 'origin', 'stated')), pending = 1 where id = '${id}'`,
  `insert into edge values (${nr(id)}, ${nr(on)})`,
];

const codes = async (plan: TestPlan, reference?: string): Promise<string[]> =>
  must(await lint(plan, reference)).problems.map(({ code, id }) => `${code} ${id}`);

describe("lint", () => {
  it("finds nothing in a sound plan", async () => {
    const { plan } = await makeBreakable();
    expect(must(await lint(plan))).toEqual({ nodes: 7, problems: [], warnings: [] });
  });

  it("finds a cycle that came from outside, as do why and waves", async () => {
    const { plan, sql } = await makeBreakable();
    await sql(...depend("A", "B"), ...depend("B", "A"));
    const { problems } = must(await lint(plan));
    expect(problems).toEqual([{ code: "I-CYCLE", id: "A", message: "There is a cycle of waiting: A → B → A." }]);
    expect(must(await why(plan, "A"))).toMatchObject({ cut: "cycle", next: [{ operation: "lint" }] });
    const view = must(await waves(plan));
    expect(view.cyclic).toEqual(["A", "B"]);
    expect(view.waves.at(-1)?.tasks).toEqual(expect.arrayContaining(["A", "B"]));
  });

  it.each([
    ["I-PARENT", `update node set parent = 999 where id = 'A'`, "A"],
    ["I-PARENT", `update node set parent = ${nr("B")} where id = 'A'`, "A"],
    ["I-DANGLING", `update node set depends_on = '[{"on":999,"origin":"stated"}]' where id = 'A'`, "A"],
    ["I-KINSHIP", `update node set depends_on = json_array(json_object('on', ${nr("STORY-A")})) where id = 'A'`, "A"],
    ["I-CLAIM", `update node set claim_by = 'x', claim_token = 'x', lease_until = 1 where id = 'STORY-A'`, "STORY-A"],
    [
      "I-APPROVER",
      `update node set approved_by = 'agent:x', approved_at = 1, approved_hash = hash where id = 'A'`,
      "A",
    ],
    ["I-FREEZE", `update node set freeze_reason = '', freeze_at = 1, freeze_from = nr where id = 'A'`, "A"],
    ["I-LAND", `delete from node where kind = 'land'`, "FEAT-A"],
    ["I-PROOF", `update node set outcome = 'done', settled_op = 1 where id = 'A'`, "A"],
  ])("finds what breaks %s", async (code, statement, id) => {
    const { plan, sql } = await makeBreakable();
    await sql(statement);
    expect(await codes(plan)).toContain(`${code} ${id}`);
  });

  it("does not go in circles with containment that does", async () => {
    const { plan, sql } = await makeBreakable();
    await sql(
      `update node set parent = ${nr("B")} where id = 'A'`,
      `update node set parent = ${nr("A")} where id = 'B'`,
    );
    expect(await codes(plan)).toEqual(expect.arrayContaining(["I-PARENT A", "I-PARENT B", "I-CYCLE A"]));
    expect(must(await waves(plan)).cyclic).toEqual(["A", "B"]);
  });

  it("says only what concerns the branch that was asked for", async () => {
    const { plan, sql } = await makeBreakable();
    await sql(`update node set depends_on = '[{"on":999,"origin":"stated"}]' where id = 'A'`);
    expect(await codes(plan, "B")).toEqual([]);
    expect(await codes(plan, "STORY-A")).toEqual(["I-DANGLING A"]);
  });

  it("lets a plan with problems be worked on: only a new one is refused", async () => {
    const { plan, sql } = await makeBreakable();
    await sql(...depend("A", "B"), ...depend("B", "A"));
    must(await approve(plan, { references: ["C"] }));
    expect(await codes(plan)).toEqual(["I-CYCLE A"]);
  });

  it("warns of an approval whose content changed since", async () => {
    const { plan } = await makeBreakable();
    must(await approve(plan, { references: ["A"] }));
    must(await edit(plan, { reference: "A", title: "Another" }));
    const { problems, warnings } = must(await lint(plan));
    expect([problems, warnings.map(({ code, id }) => `${code} ${id}`)]).toEqual([[], ["W-STALE A"]]);
  });

  it("has nothing to say about an empty store", async () => {
    const { store } = await createStore({ path: ":memory:", durability: "normal", engine: "auto" });
    const plan = { ...(await makePlan()), store };
    expect(mustFail(await lint(plan))).toMatchObject({ kind: "absent", reason: "no-plan" });
  });
});
