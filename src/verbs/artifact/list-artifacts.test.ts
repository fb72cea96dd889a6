import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makePlan, must, mustFail, type TestPlan } from "../../../test/plan.js";
import { createItem } from "../../model/item/item.js";
import type { PlanningRun } from "../../model/item/planning-run.js";
import type { Change } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { act } from "../../plan/base/context.js";
import { hashFile } from "../../plan/base/workspace-file.js";
import { type NewArtifact, saveArtifact } from "../../planning/run/stored-run.js";
import { undo } from "../history/take-back.js";
import { verifyPlan } from "../history/verify.js";
import { showItem } from "../node/show-item.js";
import { listArtifacts } from "./list.js";

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "planwright-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const RUN: PlanningRun = {
  status: "running",
  title: "Zip",
  node: null,
  intake: null,
  machine: null,
  current: {},
  asked: {},
  applied: {},
  driver: null,
  createdAt: 1,
  createdBy: "human:ada",
};

const inRun = async (): Promise<TestPlan> => {
  const plan = { ...(await makePlan()), root: folder() };
  must(
    await act(plan, "plan", async () =>
      ok({ sentence: "began", changes: [createItem("run", "RUN-001", RUN)], value: null }),
    ),
  );
  return plan;
};

/** All in one operation. */
async function save(plan: TestPlan, ...made: NewArtifact[]): Promise<{ keys: string[]; op: number | null }> {
  const committed = await act(plan, "plan-apply", async (writer, at) => {
    const changes: Change[] = [];
    const keys: string[] = [];
    for (const each of made) {
      const saved = await saveArtifact(writer, each, { by: plan.actor, at });
      changes.push(...saved.changes);
      keys.push(saved.key);
    }
    return ok({ sentence: "saved", changes, value: keys });
  });
  return { keys: must(committed).value, op: must(committed).op };
}

const made = (kind: NewArtifact["kind"], text: string, over: Partial<NewArtifact> = {}): NewArtifact => ({
  kind,
  run: "RUN-001",
  text,
  format: "markdown",
  ...over,
});

const rounds = async (plan: TestPlan): Promise<string[]> =>
  must(await listArtifacts(plan)).map(({ id, kind, round }) => `${id} ${kind} ${round}`);

describe("artifacts", () => {
  it("have rounds of their own per kind and run, which never collide", async () => {
    const plan = await inRun();
    await save(
      plan,
      made("spec", "S"),
      made("findings", "F"),
      made("findings", "F"),
      made("spec", "S", { run: "RUN-002" }),
    );
    const { op } = await save(plan, made("findings", "G"));
    expect(await rounds(plan)).toEqual([
      "ART-00001 spec 1",
      "ART-00002 findings 1",
      "ART-00003 findings 2",
      "ART-00004 spec 1",
      "ART-00005 findings 3",
    ]);
    must(await undo(plan, String(op)));
    await save(plan, made("findings", "H"));
    expect((await rounds(plan)).at(-1)).toBe("ART-00006 findings 4");
    expect(must(await verifyPlan(plan)).differences).toEqual([]);
  });

  it("never take a round that is there, even if nobody counted it", async () => {
    const plan = await inRun();
    const { keys } = await save(plan, made("draft", "D"));
    must(
      await act(plan, "plan", async (writer) => {
        const item = await writer.item("artifact", keys[0] as string);
        const copy = { ...(item?.fields as NonNullable<typeof item>["fields"]), round: 5 };
        return ok({ sentence: "by hand", changes: [createItem("artifact", "ART-00099", copy)], value: null });
      }),
    );
    await save(plan, made("draft", "E"));
    expect((await rounds(plan)).at(-1)).toBe("ART-00002 draft 6");
  });

  it("are listed by run and kind, and shown with their text", async () => {
    const plan = await inRun();
    await save(plan, made("spec", "# Zip ✓\n", { source: "spec.md" }), made("draft", "D", { from: ["ART-00001"] }));
    expect(must(await listArtifacts(plan, { run: "run-1", kind: "draft" })).map(({ id }) => id)).toEqual(["ART-00002"]);
    expect(mustFail(await listArtifacts(plan, { run: "RUN-009" })).reason).toBe("not-found");
    expect(must(await showItem(plan, "art-1"))).toMatchObject({
      entity: "artifact",
      item: {
        id: "ART-00001",
        kind: "spec",
        bytes: 10,
        text: "# Zip ✓\n",
        hash: createHash("sha256").update("# Zip ✓\n").digest("hex"),
      },
    });
    expect(must(await showItem(plan, "RUN-001"))).toMatchObject({
      entity: "run",
      item: { artifacts: ["ART-00001", "ART-00002"] },
    });
    expect(mustFail(await showItem(plan, "ART-00009")).kind).toBe("absent");
    expect(mustFail(await showItem(plan, "anything")).kind).toBe("absent");
  });

  it("are stale once the spec's file has changed or gone, and say so", async () => {
    const plan = await inRun();
    writeFileSync(join(plan.root, "spec.md"), "one\n");
    await save(plan, made("spec", "one\n", { source: "spec.md" }), made("draft", "D", { from: ["ART-00001"] }));
    const stale = async (): Promise<(string | null)[]> => must(await listArtifacts(plan)).map((each) => each.stale);
    expect(await stale()).toEqual([null, null]);
    writeFileSync(join(plan.root, "spec.md"), "two\n");
    expect(await stale()).toEqual(Array(2).fill("spec.md was changed since it was read"));
    rmSync(join(plan.root, "spec.md"));
    expect(await stale()).toEqual(Array(2).fill("spec.md is no longer there"));
  });

  it("do not look outside of the workspace", async () => {
    const plan = await inRun();
    await save(plan, made("spec", "x", { source: "../../etc/hostname" }));
    expect(must(await listArtifacts(plan))[0]?.stale).toBeNull();
  });
});

describe("files of the workspace", () => {
  it("have a hash, unless they are folders, not there, or outside", () => {
    const root = folder();
    writeFileSync(join(root, "a"), "a");
    writeFileSync(join(root, "big"), Buffer.alloc(3_000_000, 1));
    symlinkSync("/etc", join(root, "out"));
    symlinkSync("a", join(root, "in"));
    symlinkSync("nothing", join(root, "dangling"));
    const sha = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
    expect(hashFile(root, "a")).toBe(sha("a"));
    expect(hashFile(root, "in")).toBe(sha("a"));
    expect(hashFile(root, "big")).toBe(sha(Buffer.alloc(3_000_000, 1)));
    expect([".", "b", "dangling", "src/**"].map((path) => hashFile(root, path))).toEqual(["folder", "", "", ""]);
    expect(["out", "out/hostname", "../x", "/etc/hostname", "a/../../x"].map((path) => hashFile(root, path))).toEqual(
      Array(5).fill(null),
    );
  });
});
