// Threat: somebody edits the plan's file directly, to change what happened or who did it.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../src/store/dialects/sqlite/sqlite.js";
import { makeRig, type Rig } from "../rig.js";

async function tamper(rig: Rig, ...statements: string[]): Promise<void> {
  const path = join(rig.root, ".planwright/plan.db");
  const db = await openSqlite({ path, durability: "normal", engine: "auto" });
  for (const statement of statements) await db.run(statement);
  await db.close();
}

function makePlan(): Rig {
  const rig = makeRig();
  rig.git("init", "--quiet", "--initial-branch", "main");
  rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  rig.ok(["init"]);
  rig.ok(["add", "Pay by card", "--parent", "BUGS", "--id", "T-1", "--check", "true"]);
  rig.ok(["approve", "T-1"]);
  return rig;
}

describe("a row that was rewritten", () => {
  it.each([
    ["next", ["next"]],
    ["start", ["start", "T-1"]],
    ["work", ["work", "T-1"]],
  ])("never runs a command that you did not approve: %s refuses it", async (_, args) => {
    const rig = makePlan();
    await tamper(rig, `update node set checks = '[{"run":"touch stolen"}]' where id = 'T-1'`);
    expect(rig.fails(args)).toMatchObject({ code: 3, reason: "rewritten" });
    expect(rig.ok(["show", "T-1"]).claim).toBeNull();
  });

  it("does not run its checks before the work: lint names it as one that nobody approved", async () => {
    const rig = makePlan();
    await tamper(rig, `update node set checks = '[{"run":"touch ${rig.root}/stolen"}]' where id = 'T-1'`);
    const said = JSON.parse(rig.run(["lint", "--checks", "--json"]).stdout);
    expect((said.data ?? said.error.details).base).toEqual({ checks: [], skipped: ["T-1"] });
    expect(rig.git("status", "--short")).not.toContain("stolen");
  });

  it("is refused at the hand-in, too", async () => {
    const rig = makePlan();
    const { token } = rig.ok(["next"]);
    rig.write("a.txt", "a");
    await tamper(rig, `update node set checks = '[{"run":"touch stolen"}]' where id = 'T-1'`);
    expect(rig.fails(["check", "T-1", "--token", token]).reason).toBe("rewritten");
    expect(rig.fails(["complete", "T-1", "--token", token]).reason).toBe("rewritten");
    expect(rig.git("status", "--short")).not.toContain("stolen");
  });
});

describe("a log that was rewritten", () => {
  it("is found, and the first broken link is named", async () => {
    const rig = makePlan();
    rig.ok(["verify"]);
    await tamper(rig, "update operation set actor = 'human:eve' where op = 2");
    const { code, message } = rig.fails(["verify"]);
    expect({ code, message }).toEqual({
      code: 1,
      message:
        "The log was changed by something other than this program. The first broken link is operation 2: it was changed after it was written.",
    });
  });

  it("is found even if its end was cut off and the rows put back: git knows how far it was", async () => {
    const rig = makePlan();
    rig.ok(["verify"]);
    await tamper(
      rig,
      "delete from change where op = 3",
      "delete from operation where op = 3",
      "update node set approved_by = null, approved_at = null, approved_hash = null, hash = '', ready = null, revision = 1, updated_at = created_at where id like 'T-1'",
    );
    const { message } = rig.fails(["verify"]);
    expect(message).toContain(
      "The first broken link is operation 3: it is missing: the git repository knows operation 3.",
    );
  });

  it("cannot pass an approval off as yours: show says who signed it, or that nobody did", async () => {
    const rig = makePlan();
    expect(rig.ok(["show", "T-1"]).approvalSignature).toBe("valid");
    expect(rig.run(["show", "T-1"]).stdout).toMatch(/approved +by human:ada, .*, signed\n/);
    await tamper(rig, "update node set approved_seal = null where id = 'T-1'");
    expect(rig.ok(["show", "T-1"]).approvalSignature).toBe("unsigned");
    expect(rig.run(["show", "T-1"]).stdout).toMatch(/approved +by human:ada, .*, unsigned\n/);
    await tamper(rig, "update node set approved_seal = 'aaaaaaaaaaaaaaaa:00' where id = 'T-1'");
    expect(rig.ok(["show", "T-1"]).approvalSignature).toBe("unknown-key");
  });
});
