// Threat: what a person approved whom you removed since runs or lands all the same, because something wrote their row again.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connect } from "../../src/store/dialects/sqlite/driver.js";
import { signerFrom } from "../../src/store/signer.js";
import { makeRig, type Rig, type RunOptions } from "../rig.js";

const EVES = "e7e5ec2e7".padEnd(64, "0");
const eve = signerFrom(EVES);
const EVE: RunOptions = { env: { PLANWRIGHT_SECRET: EVES, USER: "eve" } };

/** Eve, whom you added, approved both tasks. */
function makePlan(): Rig {
  const rig = makeRig();
  rig.git("init", "--quiet", "--initial-branch", "main");
  rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  rig.ok(["init"]);
  rig.ok(["add", "A feature", "--tier", "feature", "--id", "FEAT-1"]);
  const task = (id: string): object => ({
    id,
    title: `Task ${id}`,
    parent: "FEAT-1",
    body: `\`\`\`sh run\necho ${id} > ${id}.txt\n\`\`\``,
    checks: [{ run: `test -f ${id}.txt` }],
    files: [`${id}.txt`],
  });
  rig.ok(["add", "--from", "-"], { input: ["T-1", "T-2"].map((id) => JSON.stringify(task(id))).join("\n") });
  rig.ok(["people", "add", eve.key, "--name", "eve"]);
  rig.ok(["approve", "FEAT-1", "--yes"], EVE);
  return rig;
}

/** Removes Eve, and then writes back what that changed. */
function removeAndWriteBack(rig: Rig): void {
  const database = connect(join(rig.root, ".planwright/plan.db"), "auto");
  const rows = database
    .prepare(
      "select id, approved_hash as approved, approved_seal as seal, hash, ready from node where approved_seal is not null",
    )
    .all() as { id: string; approved: string; seal: string; hash: string; ready: number | null }[];
  rig.ok(["people", "remove", eve.id]);
  database.exec(
    "update item set state = 'known', fields = json_set(json_remove(fields, '$.lastChange'), '$.state', 'known') where entity = 'person'",
  );
  for (const { id, approved, seal, hash, ready } of rows)
    database
      .prepare("update node set approved_hash = ?, approved_seal = ?, hash = ?, ready = ? where id = ?")
      .run(approved, seal, hash, ready, id);
  database.close();
}

it("does not run", () => {
  const rig = makePlan();
  removeAndWriteBack(rig);
  expect(rig.fails(["run", "T-1"])).toMatchObject({ code: 3 });
  rig.run(["run", "--batch"]);
  expect(rig.git("branch", "--list", "planwright/*")).toBe("");
  expect([existsSync(join(rig.root, "T-1.txt")), rig.ok(["show", "T-1"]).status === "done"]).toEqual([false, false]);
});

it("does not land, even if it was done before", () => {
  const rig = makePlan();
  rig.ok(["run", "--batch"]);
  expect(rig.ok(["show", "T-2"]).status).toBe("done");
  removeAndWriteBack(rig);
  expect(rig.fails(["land", "FEAT-1", "--yes"])).toMatchObject({ code: 3, reason: "approval-unknown" });
  expect(rig.git("log", "--oneline", "main").trim().split("\n")).toHaveLength(1);
});
