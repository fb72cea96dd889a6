import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { addAll, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { createItem } from "../../model/item/item.js";
import type { PlanningRun } from "../../model/item/planning-run.js";
import type { NodeInput } from "../../model/node/content.js";
import { ok } from "../../model/result.js";
import { estimateTokens } from "../../model/words.js";
import { saveArtifact } from "../../planning/run/stored-run.js";
import { waive } from "../../verbs/branch/waive.js";
import { checkBundle } from "../../verbs/bundle/check.js";
import { cleanBundles } from "../../verbs/bundle/clean.js";
import { listBundles } from "../../verbs/bundle/list.js";
import { undo } from "../../verbs/history/take-back.js";
import { verifyPlan } from "../../verbs/history/verify.js";
import { remember } from "../../verbs/lesson/add.js";
import { forgetLesson } from "../../verbs/lesson/forget.js";
import { edit } from "../../verbs/node/edit.js";
import { addRecord } from "../../verbs/record/add.js";
import { complete } from "../../verbs/task/hand-in.js";
import { act } from "../base/context.js";
import { start } from "../claim/start.js";
import { approve } from "../node/approve.js";
import { createBundles } from "./bundle.js";

async function makeWorkspace(nodes: readonly NodeInput[]): Promise<TestPlan> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "planwright-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".planwright"));
  return { ...(await makePlan(nodes)), root, cwd: root };
}

const textOf = async (plan: TestPlan, reference: string, clean = false): Promise<string> =>
  must(await createBundles(plan, { references: [reference], noLessons: clean })).bundles[0]?.text ?? "";

const faults = async (plan: TestPlan, reference: string): Promise<string[]> => {
  const { state, items } = must(await checkBundle(plan, reference));
  return [state, ...items.map(({ what, detail }) => `${what} ${detail}`)];
};

const HEADER = task("T-1", {
  title: "Parse the header",
  body: "Read bytes.",
  files: ["src/header.ts"],
  checks: [{ run: "true" }],
});

/** T-1 is done and made a file; T-2 builds on it. */
async function built(): Promise<TestPlan> {
  const plan = await makeWorkspace([HEADER, task("T-2", { dependsOn: ["T-1"], files: ["src/tail.ts"] })]);
  must(await approve(plan, { references: ["FEAT-A"] }));
  must(await start(plan, { reference: "T-1" }));
  mkdirSync(join(plan.root, "src"));
  writeFileSync(join(plan.root, "src/header.ts"), "header\n");
  must(
    await complete(plan, { reference: "T-1", created: ["src/header.ts", "/etc/hostname"], modified: ["README.md"] }),
  );
  return plan;
}

it("has the files that the task names in the end, if they change while git looks at them", async () => {
  const plan = await makeWorkspace([HEADER]);
  must(await approve(plan, { references: ["FEAT-A"] }));
  let [looks, changes] = [0, 1];
  const { store } = plan;
  const changing: TestPlan = {
    ...plan,
    store: {
      ...store,
      commit: async (...asked) => {
        if (looks++ < changes) must(await edit(plan, { reference: "T-1", files: [`src/${looks}.ts`] }));
        return store.commit(...asked);
      },
    },
  };
  expect(await textOf(changing, "T-1")).toContain("src/1.ts");
  [looks, changes] = [10, 13];
  expect(mustFail(await createBundles(changing, { references: ["T-1"] })).reason).toBe("changed");
});

describe("a bundle", () => {
  it("is one text with everything that the task needs, written with its hashes", async () => {
    const plan = await built();
    must(await addRecord(plan, { kind: "decision", title: "Little endian", in: "FEAT-A" }));
    must(await remember(plan, { text: "The tail of a task comes last", keywords: ["tail"] }));
    const made = must(await createBundles(plan, { references: ["T-2"] })).bundles[0];
    expect(made).toMatchObject({
      id: "T-2",
      bundle: "BUN-00001",
      isNew: true,
      records: 1,
      results: 1,
      lessons: 1,
      files: 2,
    });
    expect(made?.text).toContain(
      "- T-1: Parse the header (done)\n  created src/header.ts, /etc/hostname\n  changed README.md",
    );
    expect(made?.text).toMatch(/- `src\/header.ts` \(read, there, sha256 \w{16}\): made by T-1/);
    expect(made?.text).toContain("- decision DEC-001 (by human:ada): Little endian");
    expect(made?.text).toContain("- MEM-001 (by human:ada): The tail of a task comes last");
    expect(made?.text).toContain(
      "- feature FEAT-A: Feature A (approved by human:ada)\n- story STORY-A: Story A (approved by human:ada)",
    );
    const folder = join(plan.root, ".planwright/bundles/T-2");
    expect(readdirSync(folder).sort()).toEqual(["bundle.json", "bundle.md"]);
    expect(readFileSync(join(folder, "bundle.md"), "utf8")).toBe(made?.text);
    expect(JSON.parse(readFileSync(join(folder, "bundle.json"), "utf8"))).toMatchObject({
      task: "T-2",
      hash: made?.hash,
      tokens: made?.tokens,
      needed: ["src/header.ts"],
    });
    expect(await textOf(plan, "T-2", true)).not.toContain("MEM-001");
    expect(must(await verifyPlan(plan)).differences).toEqual([]);
  });

  it("is packed again only when something has changed", async () => {
    const plan = await built();
    must(await createBundles(plan, { references: ["T-2"] }));
    const again = must(await createBundles(plan, { references: ["T-2"] }));
    expect([again.op, again.bundles[0]?.isNew, again.bundles[0]?.bundle]).toEqual([null, false, "BUN-00001"]);
    must(await edit(plan, { reference: "T-2", title: "The tail" }));
    expect(must(await createBundles(plan, { references: ["T-2"] })).bundles[0]).toMatchObject({
      bundle: "BUN-00002",
      isNew: true,
    });
    expect(must(await listBundles(plan)).map(({ bundle }) => bundle)).toEqual(["BUN-00002"]);
  });

  it("is whole, missing or drifted, and says what", async () => {
    const plan = await built();
    expect(await faults(plan, "T-2")).toEqual(["missing", "the bundle was never packed, or was removed"]);
    must(await remember(plan, { text: "The tail of a task comes last", keywords: ["tail"] }));
    const { op } = must(await createBundles(plan, { references: ["T-2"] }));
    expect(await faults(plan, "T-2")).toEqual(["whole"]);
    writeFileSync(join(plan.root, "src/header.ts"), "changed\n");
    must(await addRecord(plan, { kind: "decision", title: "Late" }));
    must(await forgetLesson(plan, { ids: ["MEM-001"] }));
    must(await edit(plan, { reference: "FEAT-A", body: "More." }));
    expect(await faults(plan, "T-2")).toEqual([
      "drifted",
      "FEAT-A was changed since",
      "MEM-001 no longer holds",
      "DEC-001 is new since",
      "src/header.ts was changed since",
    ]);
    rmSync(join(plan.root, "src/header.ts"));
    rmSync(join(plan.root, ".planwright/bundles/T-2/bundle.md"));
    writeFileSync(join(plan.root, ".planwright/bundles/T-2/bundle.json"), "{}");
    expect((await faults(plan, "T-2")).slice(0, 3)).toEqual([
      "missing",
      "bundle.md is not there",
      "bundle.json was changed after it was packed",
    ]);
    must(await undo(plan, String(op)));
    expect((await faults(plan, "T-2"))[1]).toContain("never packed");
    expect(mustFail(await checkBundle(plan, "T-9"))).toMatchObject({
      kind: "problems",
      reason: "not-found",
      details: { items: [{ what: "T-9", state: "missing", detail: 'Nothing in the plan matches "T-9".' }] },
    });
  });

  it("of every task that may be claimed is made at once", async () => {
    const plan = await makeWorkspace([HEADER, task("T-2"), task("T-3", { dependsOn: ["T-2"] })]);
    expect(mustFail(await createBundles(plan, {})).reason).toBe("nothing-ready");
    must(await approve(plan, { references: ["FEAT-A"] }));
    expect(must(await createBundles(plan, {})).bundles.map(({ id }) => id)).toEqual(["T-1", "T-2"]);
  });

  it.each([
    ["FEAT-A", "container"],
    ["FEAT-A-LAND", "human"],
    ["T-1", "settled"],
    ["T-9", "not-found"],
  ])("is not made of %s: %s", async (reference, reason) => {
    const plan = await built();
    expect(mustFail(await createBundles(plan, { references: [reference] })).reason).toBe(reason);
  });

  it("of a settled task is put away, and its text stays in the store", async () => {
    const plan = await built();
    const { hash = "", text } = must(await createBundles(plan, { references: ["T-2"] })).bundles[0] ?? {};
    expect(must(await cleanBundles(plan))).toEqual({ op: null, removed: [] });
    must(await waive(plan, { references: ["T-2"], reason: "not needed" }));
    expect(must(await listBundles(plan))[0]).toMatchObject({ settled: true, there: true });
    const { op } = must(await cleanBundles(plan));
    expect(existsSync(join(plan.root, ".planwright/bundles/T-2"))).toBe(false);
    expect(must(await listBundles(plan))).toEqual([]);
    expect(await plan.store.read((reader) => reader.document(hash))).toBe(text);
    must(await undo(plan, String(op)));
    expect(must(await listBundles(plan))[0]).toMatchObject({ id: "T-2", there: false });
  });

  it("has the behaviours and purposes that its planning run found", async () => {
    const plan = await makeWorkspace([task("T-1", { body: "Do it.\nBehaviours: B1", files: ["src/a.ts"] })]);
    const map = (text: string) => ({
      domains: [
        {
          name: "Import",
          capabilities: [{ name: "Reading", behaviours: [{ id: "B1", name: text, type: "input", quote: "reads" }] }],
        },
      ],
    });
    const files = {
      behaviours: [{ behaviour: "B1", files: [{ path: "src/a.ts", action: "create", purpose: "reads it" }] }],
    };
    const save = async (kind: "capability-map" | "file-map", run: string, text: string): Promise<unknown> =>
      act(plan, "plan", async (writer, at) => {
        const { changes } = await saveArtifact(writer, { kind, run, text, format: "json" }, { by: plan.actor, at });
        const fields = {
          status: "finished",
          applied: { T1: run === "RUN-001" ? "T-1" : "T-9" },
        } as unknown as PlanningRun;
        const known = await writer.item("run", run);
        return ok({
          sentence: "saved",
          changes: [...changes, ...(known ? [] : [createItem("run", run, fields)])],
          value: null,
        });
      });
    await save("capability-map", "RUN-001", JSON.stringify(map("Old")));
    await save("capability-map", "RUN-001", JSON.stringify(map("Read a file")));
    await save("file-map", "RUN-001", JSON.stringify(files));
    await save("capability-map", "RUN-002", JSON.stringify(map("Another")));
    const text = await textOf(plan, "T-1");
    expect(text).toContain("- B1 Read a file (input, Import, Reading)\n  > reads");
    expect(text).toContain("- `src/a.ts` (create, not there yet): reads it");
    expect(await faults(plan, "T-1")).toEqual(["whole"]);
    await save("capability-map", "RUN-001", "no map");
    expect(await faults(plan, "T-1")).toEqual(["drifted", "ART-00002 no longer holds", "ART-00005 is new since"]);
    expect(await textOf(plan, "T-1")).not.toContain("Read a file");
  });
});

describe("the workspace's edge", () => {
  it("is where a bundle ends: a file that leads out is refused", async () => {
    const plan = await makeWorkspace([task("T-1", { files: ["out/hostname"] })]);
    symlinkSync("/etc", join(plan.root, "out"));
    expect(mustFail(await createBundles(plan, { references: ["T-1"] }))).toMatchObject({
      kind: "refused",
      reason: "outside-workspace",
    });
  });

  it.each(["bundles", "bundles/T-1"])("is not crossed by a link in the place of %s", async (place) => {
    const plan = await makeWorkspace([task("T-1")]);
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "planwright-out-")));
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
    if (place !== "bundles") mkdirSync(join(plan.root, ".planwright/bundles"));
    symlinkSync(outside, join(plan.root, ".planwright", place));
    expect(mustFail(await createBundles(plan, { references: ["T-1"] })).reason).toBe("outside-workspace");
    expect(readdirSync(outside)).toEqual([]);
    must(await waive(plan, { references: ["T-1"], reason: "x" }));
    writeFileSync(join(outside, "bundle.md"), "theirs");
    must(await cleanBundles(plan));
    expect(readdirSync(outside)).toEqual(["bundle.md"]);
  });

  it("says when the folder cannot be written", async () => {
    const plan = await makeWorkspace([task("T-1")]);
    writeFileSync(join(plan.root, ".planwright/bundles"), "a file");
    expect(mustFail(await createBundles(plan, { references: ["T-1"] })).reason).toBe("no-write");
  });
});

describe("the size of a bundle", () => {
  const prose = (n: number): string =>
    `Read the part with number ${n} of the archive and write what it holds. Keep the order of the entries, refuse names that lead out, and report what was left out. `.repeat(
      4,
    );

  it("is at most a fifth of a plan of a hundred tasks, also for a task that builds on nearly all of them", async () => {
    const plan = await makeWorkspace([]);
    const nodes: NodeInput[] = Array.from({ length: 100 }, (_, i) => ({
      ...task(`T-${i}`, {
        title: `Part ${i} of the archive`,
        body: prose(i),
        files: [`src/part-${i}.ts`, `test/part-${i}.test.ts`],
      }),
      checks: [{ run: `npx vitest run test/part-${i}.test.ts` }],
      dependsOn: i < 98 ? (i === 0 ? [] : [`T-${i - 1}`]) : Array.from({ length: 97 }, (_, j) => `T-${j}`),
    }));
    await addAll(plan, nodes);
    for (let i = 0; i < 10; i++)
      must(await addRecord(plan, { kind: "decision", title: `Decision ${i}`, body: prose(i).slice(0, 300) }));
    for (let i = 0; i < 50; i++) must(await remember(plan, { text: `Part ${i} of an archive: ${prose(i)}` }));
    const whole = estimateTokens(nodes.map((node) => JSON.stringify(node)).join("\n"));
    for (const reference of ["T-0", "T-50", "T-99"]) {
      const { tokens = 0, text = "" } = must(await createBundles(plan, { references: [reference] })).bundles[0] ?? {};
      expect(tokens).toBe(estimateTokens(text));
      expect(tokens / whole).toBeLessThan(0.2);
    }
  });
});
