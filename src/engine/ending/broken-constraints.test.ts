import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { reset } from "../../plan/claim/settle-tasks.js";
import { approve } from "../../plan/node/approve.js";
import { edit } from "../../verbs/node/edit.js";
import { addRecord } from "../../verbs/record/add.js";
import { approveRecords } from "../../verbs/record/approve.js";

it("work never fails for a constraint that you overrode for exactly this content; changed content is held to it again", async () => {
  const shop = await openShop([fileTask("one", { files: ["legacy/parser.txt"] })], {
    policy: { fixes: 0 },
    doing: ({ cwd }) => {
      mkdirSync(join(cwd, "legacy"), { recursive: true });
      writeFileSync(join(cwd, "legacy", "parser.txt"), "x\n");
      writeFileSync(join(cwd, "one.txt"), "x\n");
      return {};
    },
  });
  const { plan } = shop;
  must(await addRecord(plan, { kind: "constraint", title: "It stays", forbidFiles: ["legacy/**"] }));
  must(await approveRecords(plan, { ids: ["CON-001"] }));
  must(await edit(plan, { reference: "T-one", title: "Make it" }));
  expect(mustFail(await approve(plan, { references: ["T-one"] })).reason).toBe("contradicts-record");
  must(await approve(plan, { references: ["T-one"], despite: "the old code goes" }));
  await shop.workThrough();
  expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted"]);
  must(await reset(plan, { references: ["T-one"], reason: "again" }));
  must(await edit(plan, { reference: "T-one", title: "Make it again" }));
  expect(mustFail(await approve(plan, { references: ["T-one"] })).reason).toBe("contradicts-record");
});

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
