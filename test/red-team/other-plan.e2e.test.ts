// Threat: what another plan left in this repository or among the backups passes for this plan's, or is lost to it.

import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "../rig.js";

function planned(): Rig {
  const rig = makeRig();
  rig.git("init", "--quiet", "--initial-branch", "main");
  rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  rig.ok(["init"]);
  approveTask(rig, "T-1");
  return rig;
}

function approveTask(rig: Rig, id: string): void {
  rig.ok(["add", "Pay by card", "--parent", "BUGS", "--id", id, "--check", "true"]);
  rig.ok(["approve", id]);
}

const refs = (rig: Rig): string[] => rig.git("for-each-ref", "--format=%(refname)").split("\n");

const backups = (rig: Rig): { file: string; otherPlan: boolean; operations: number }[] =>
  rig.ok(["backup", "list"]).backups;

/** A new plan in the place of one that was lost, which had work that nobody merged. */
function startedOver(): { rig: Rig; work: string } {
  const rig = planned();
  rig.git("commit", "--quiet", "--allow-empty", "--message", "work of the lost plan");
  const work = rig.git("rev-parse", "HEAD");
  rig.git("reset", "--quiet", "--hard", "HEAD~1");
  for (const ref of ["refs/heads/planwright/feature/BUGS", "refs/planwright/kept/ATT-00001"])
    rig.git("update-ref", ref, work);
  rig.git("clean", "-fdxq");
  expect(rig.ok(["init", "--fresh"]).setAside).toBe(2);
  return { rig, work };
}

describe("what a lost plan left in git", () => {
  it("is not found by a new one under the same ids, and is not lost", () => {
    const { rig, work } = startedOver();
    expect(refs(rig).filter((ref) => /planwright\/(?:feature|kept)/.test(ref))).toEqual([]);
    const kept = refs(rig).filter((ref) => ref.startsWith("refs/planwright/former/"));
    expect(kept.map((ref) => [ref.split("/").slice(4).join("/"), rig.git("rev-parse", ref)])).toEqual([
      ["heads/feature/BUGS", work],
      ["own/kept/ATT-00001", work],
    ]);
  });

  it("is there again when a backup of that plan is restored, and the new one's is set aside", () => {
    const { rig, work } = startedOver();
    approveTask(rig, "T-2");
    rig.git("update-ref", "refs/heads/planwright/feature/BUGS", "main");
    const file = backups(rig).find(({ otherPlan }) => otherPlan)?.file ?? "";
    rig.ok(["backup", "restore", file, "--yes"]);
    expect(rig.ok(["show", "T-1"]).title).toBe("Pay by card");
    expect(rig.git("rev-parse", "refs/heads/planwright/feature/BUGS")).toBe(work);
    expect(refs(rig)).toContain("refs/planwright/kept/ATT-00001");
    expect(refs(rig).filter((ref) => /^refs\/planwright\/former\/\w+\/heads/.test(ref))).toHaveLength(1);
    rig.ok(["verify"]);
  });
});

describe("backups of a plan that was here before", () => {
  it("are told apart, are not offered, and do not count for the new one", () => {
    const { rig } = startedOver();
    expect(backups(rig).map(({ otherPlan, operations }) => ({ otherPlan, operations }))).toEqual([
      { otherPlan: true, operations: 3 },
    ]);
    approveTask(rig, "T-2");
    expect(backups(rig).map(({ otherPlan }) => otherPlan)).toEqual([false, true]);
    expect(rig.run(["backup", "list"]).stdout).toMatch(/of another plan {2}\//);
    rig.ok(["verify"]);
    rig.git("clean", "-fdxq");
    const newest = rig.fails(["status"]).next[0]?.input["file"];
    expect(newest).toBe(backups(rig).find(({ otherPlan }) => !otherPlan)?.file);
  });

  it("replace the plan only after a yes that says so", () => {
    const { rig } = startedOver();
    const [old] = backups(rig);
    const { reason, message } = rig.fails(["backup", "restore", String(old?.file)]);
    expect(reason).toBe("needs-yes");
    expect(message).toContain("is a backup of another plan");
  });
});

describe("a plan from elsewhere in the place of this one", () => {
  it("has no approvals, and is found by verify: git has noted another one", () => {
    const [rig, other] = [planned(), planned()];
    rmSync(join(rig.root, ".planwright"), { recursive: true });
    cpSync(join(other.root, ".planwright"), join(rig.root, ".planwright"), { recursive: true });
    const { code, message } = rig.fails(["verify"]);
    expect({ code, message }).toEqual({
      code: 1,
      message:
        "The log was changed by something other than this program. The first broken link is operation 1: the git repository knows another plan.",
    });
    // What you approved there does not run here, and its own operations do not cover that up.
    expect(rig.run(["next"]).code).not.toBe(0);
    const refused = rig.fails(["approve", "T-1", "--yes"]).message;
    rmSync(/(\S+plans\S+[^.\s])/.exec(refused)?.[1] ?? "");
    approveTask(rig, "T-2");
    expect(rig.fails(["verify"]).message).toContain("knows another plan");
  });

  it("is not announced as lost here where only the note in git came along, with a clone", () => {
    const [rig, clone] = [planned(), makeRig()];
    clone.git("init", "--quiet", "--initial-branch", "main");
    clone.git("fetch", "--quiet", rig.root, "refs/*:refs/copied/*", "refs/planwright/*:refs/planwright/*");
    const { message, next } = clone.fails(["init"]);
    expect(message).toContain("There is no backup");
    expect(message).toContain("may be in another clone");
    expect(next.map(({ operation }) => operation)).toEqual(["init"]);
    expect(clone.ok(["init", "--fresh"]).created).toBe(true);
    approveTask(clone, "T-2");
    clone.ok(["verify"]);
  });
});
