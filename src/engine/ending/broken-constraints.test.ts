import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { addRecord } from "../../verbs/record/add.js";
import { approveRecords } from "../../verbs/record/approve.js";

it("a failure that breaks a constraint stops the task and asks a person, instead of trying again", async () => {
  const shop = await openShop([fileTask("one", { checks: [{ run: "false" }] })], {
    policy: { fixes: 0 },
    doing: ({ cwd }) => {
      mkdirSync(join(cwd, "legacy"), { recursive: true });
      writeFileSync(join(cwd, "legacy", "parser.txt"), "x\n");
      return {};
    },
  });
  const constraint = { kind: "constraint" as const, title: "It stays", forbidFiles: ["legacy/**"] };
  must(await addRecord(shop.plan, constraint));
  must(await approveRecords(shop.plan, { ids: ["CON-001"] }));
  await shop.workThrough();
  const [attempt, ...more] = await shop.attempts();
  expect([attempt?.failure?.class, attempt?.failure?.action, more]).toEqual(["architecture", "freeze", []]);
  expect((await shop.plan.view("T-one")).status).toBe("frozen");
  expect(must(await listQuestions(shop.plan, {}))).toHaveLength(1);
});
