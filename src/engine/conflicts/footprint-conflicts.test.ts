// Two tasks that overlap never run together, whoever claims them; and what workers do is held against each other while
// they do it.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { addAll, must, type TestPlan, task } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { StorePlan } from "../../../test/store-plan.js";
import { makeApprovedPlan, passing } from "../../../test/work.js";
import type { Clash } from "../../model/conflict/conflict.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { createStore } from "../../store/open/create.js";
import { listConflicts } from "../../verbs/conflict/list.js";
import { clashOfMerge, recordConflicts } from "../ending/end-attempt.js";
import { BranchConflicts } from "./branch-conflicts.js";

const ROOT = join(import.meta.dirname, "../../..");

/** The program that claims spells no command, so it needs to know nothing of the other verbs. */
const NO_FACTS: Plugin = {
  name: "no-facts",
  setup: (bundler) => {
    bundler.onResolve({ filter: /^virtual:verb-facts$/ }, ({ path }) => ({ path, namespace: "no-facts" }));
    bundler.onLoad({ filter: /./, namespace: "no-facts" }, () => ({ contents: "export default {};" }));
  },
};

/** Inside the repository, where the SQLite engine is found. */
async function buildClaimer(): Promise<string> {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const outfile = join(cache, `planwright-claimer-${process.pid}.mjs`);
  onTestFinished(() => rmSync(outfile, { force: true }));
  const entryPoints = [join(ROOT, "test/fixtures/claimer.ts")];
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    loader: { ".sql": "text" },
    logLevel: "error",
    plugins: [NO_FACTS],
  });
  return outfile;
}

/** What it printed, once it has ended well. */
function claim(script: string, path: string, name: string): Promise<string[]> {
  const child = spawn(process.execPath, [script, path, name], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((done, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? done(said.trim().split("\n")) : reject(new Error(`A claimer ended with ${code}: ${said}`)),
    );
  });
}

describe("overlapping tasks", () => {
  it("are never held together by four programs that claim at once", { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-claimers-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "plan.db");
    const { store } = await createStore({ path, durability: "normal", engine: "auto" });
    const plan = new StorePlan(store);
    await plan.add({ id: "M", tier: "mission" }, { id: "F", tier: "feature", parent: "M" });
    // Every third shares a file, some a folder, some a symbol, some nothing.
    const footprints = [{ files: ["a.ts"] }, { files: ["src/"] }, { files: ["src/b.ts"], symbols: ["src/b.ts#x"] }, {}];
    const ids = Array.from({ length: 24 }, (_, i) => `T-${i}`);
    await plan.add(...ids.map((id, i) => ({ id, parent: "F", ...footprints[i % footprints.length] })));
    await plan.approve("F", ...ids);
    const script = await buildClaimer();
    const lines = await Promise.all(["one", "two", "three", "four"].map((name) => claim(script, path, name)));
    const seen = lines.flat().filter((line) => line !== "");
    expect(seen).toHaveLength(ids.length);
    expect(new Set(seen.map((line) => line.split(" ")[0]))).toEqual(new Set(ids));
    expect(seen.filter((line) => !line.endsWith(" 0"))).toEqual([]);
    expect((await store.verify()).differences).toEqual([]);
    await store.close();
  });

  it("wait for each other under the engine, and each goes on from what the other made", async () => {
    const edit = (name: string) =>
      fileTask(name, {
        files: ["list.txt"],
        body: `\`\`\`sh run\necho ${name} >> list.txt\n\`\`\``,
        checks: [{ run: `grep -q ${name} list.txt` }],
      });
    const shop = await openShop([edit("one"), edit("two"), edit("three"), fileTask("alone")], {
      files: { "list.txt": "" },
    });
    await shop.workThrough(shop.engine({ workers: 4 }));
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted", "accepted", "accepted", "accepted"]);
    expect(shop.git("show", "planwright/feature/FEAT-A:list.txt").split("\n").sort()).toEqual(["one", "three", "two"]);
    expect(must(await listConflicts(shop.plan, { open: false }))).toEqual([]);
  });

  it("never flood you: twelve tasks that name one file leave no conflict, no freeze and no question", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
    const shop = await openShop(
      names.map((name) =>
        fileTask(name, {
          files: ["list.txt"],
          body: `\`\`\`sh run\necho ${name} >> list.txt\n\`\`\``,
          checks: [{ run: `grep -q ${name} list.txt` }],
        }),
      ),
      { files: { "list.txt": "" } },
    );
    const engine = shop.engine({ workers: 4 });
    const { started, held } = must(await engine.tick());
    expect([started.length, held.size]).toEqual([1, 11]);
    expect([...held.values()].every((holds) => holds.length === 1 && holds[0]?.reason === "conflict")).toBe(true);
    expect(await shop.plan.view("T-n5")).toMatchObject({ status: "blocked", reason: "conflict", because: ["T-n0"] });
    await shop.workThrough(engine);
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(names.map(() => "accepted"));
    expect(must(await listConflicts(shop.plan, {}))).toEqual([]);
    expect(must(await listQuestions(shop.plan, { all: true }))).toEqual([]);
    const nodes = await shop.plan.store.read((reader) => reader.byIds(names.map((name) => `T-${name}`)));
    expect(nodes.filter(({ freeze, dependsOn }) => freeze !== null || dependsOn.length > 0)).toEqual([]);
  });

  it("cost a bounded number of reads in a tick, and hide no free task behind them", async () => {
    const names = Array.from({ length: 600 }, (_, i) => `n${i}`);
    const shop = await openShop([...names.map((name) => fileTask(name, { files: ["list.txt"] })), fileTask("alone")]);
    const engine = shop.engine({ workers: 2 });
    let reads = 0;
    const read = shop.plan.store.read.bind(shop.plan.store);
    vi.spyOn(shop.plan.store, "read").mockImplementation((look) => {
      reads++;
      return read(look);
    });
    const { started, held } = must(await engine.tick());
    // The one that is free is found behind all of them.
    expect([started.length, held.size]).toEqual([2, 599]);
    expect(reads).toBeLessThan(300);
    await engine.stop();
  });
});

/** Tasks T-1, T-2, … of one feature, each at work in a worktree of its own. */
async function atWork(
  files: Readonly<Record<string, string>>,
  ...changes: Readonly<Record<string, string>>[]
): Promise<{ plan: TestPlan; repository: TestRepository; folders: string[]; look: () => Promise<Clash[]> }> {
  const repository = makeRepository(files);
  const base = repository.git("rev-parse", "HEAD");
  const plan = await makeApprovedPlan(changes.map((_, i) => task(`T-${i + 1}`)));
  const folders: string[] = [];
  for (const [i, changed] of changes.entries()) {
    const worktree = join(repository.around, `slot-${i + 1}`);
    repository.git("worktree", "add", "-q", "--detach", worktree, base);
    write(worktree, changed);
    folders.push(worktree);
    plan.pass(1_000);
    await leaveAttempt(plan, `T-${i + 1}`, { state: "working", worktree, base, endedAt: null });
  }
  const inFlight = new BranchConflicts({ store: plan.store, root: repository.path });
  return { plan, repository, folders, look: () => inFlight.conflicts() };
}

const told = (clashes: readonly Clash[]): string[] =>
  clashes.map(({ layer, first, second, files, symbols }) =>
    [layer, first.id, second.id, ...files, ...symbols].join(" "),
  );

describe("branches in flight", () => {
  it("are merged in memory: what does not merge is found while the workers are at work, uncommitted as it is", async () => {
    const { look, folders, repository } = await atWork(
      { "a.txt": "1\n" },
      { "a.txt": "2\n" },
      { "a.txt": "3\n", "new.txt": "" },
      { "b.txt": "b\n" },
    );
    expect(told(await look())).toEqual(["merge T-1 T-2 a.txt"]);
    expect(repository.git("-C", folders[1] as string, "status", "--short")).toBe(" M a.txt\n?? new.txt");
  });

  it("form a line when many change one file: each goes after the one before it", async () => {
    const { look } = await atWork({ "a.txt": "1\n" }, ...[2, 3, 4, 5].map((n) => ({ "a.txt": `${n}\n` })));
    expect(told(await look())).toEqual(["merge T-1 T-2 a.txt", "merge T-2 T-3 a.txt", "merge T-3 T-4 a.txt"]);
    expect(await look()).toEqual([]);
  });

  it("are merged again only when one of them has changed", async () => {
    const { look, folders } = await atWork({ "a.txt": "1\n" }, { "a.txt": "2\n" }, { "a.txt": "3\n" });
    expect(told(await look())).toEqual(["merge T-1 T-2 a.txt"]);
    expect(await look()).toEqual([]);
    writeFileSync(join(folders[1] as string, "a.txt"), "4\n");
    expect(told(await look())).toEqual(["merge T-1 T-2 a.txt"]);
    writeFileSync(join(folders[1] as string, "a.txt"), "1\n");
    expect(await look()).toEqual([]);
  });

  it("that merge, but change one symbol from two sides, are found by the parser", async () => {
    const lines = (first: string, last: string): string =>
      `export function login() {\n  ${first};\n${"  step();\n".repeat(20)}  ${last};\n}\nexport function logout() {\n  leave();\n}\n`;
    const { look } = await atWork(
      { "src/auth.ts": lines("open()", "close()") },
      { "src/auth.ts": lines("begin()", "close()") },
      { "src/auth.ts": lines("open()", "end()") },
      { "src/auth.ts": lines("open()", "close()").replace("leave()", "go()") },
    );
    expect(told(await look())).toEqual(["symbols T-1 T-2 src/auth.ts src/auth.ts#login"]);
  });

  it("hold the later one back once it is free again, and the conflict is written down once", async () => {
    const { plan, look } = await atWork({ "a.txt": "1\n" }, { "a.txt": "2\n" }, { "a.txt": "3\n" });
    const found = await look();
    expect(await recordConflicts(plan, found)).toEqual(["CONFLICT-00001"]);
    expect(await recordConflicts(plan, found)).toEqual(["CONFLICT-00001"]);
    expect((await plan.view("T-2")).status).toBe("blocked");
    expect(must(await listConflicts(plan, { open: true }))).toMatchObject([
      { layer: "merge", first: "T-1", second: "T-2" },
    ]);
  });

  it("of other features are looked at as well, for what these two do and not for what was there before", async () => {
    const { plan, repository, folders, look } = await atWork(
      { "a.txt": "1\n", "old.txt": "1\n" },
      { "a.txt": "2\n" },
      {},
    );
    await addAll(plan, [
      { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" },
      task("T-other", { parent: "FEAT-B" }),
    ]);
    // What both features have on their branches already does not merge either.
    const worktree = join(repository.around, "slot-9");
    const branch = (name: string, path: string): string => {
      repository.git("-C", path, "checkout", "-q", "--detach");
      writeFileSync(join(path, "old.txt"), `${name}\n`);
      repository.git("-C", path, "commit", "-q", "-m", name, "old.txt");
      return repository.git("-C", path, "rev-parse", "HEAD");
    };
    repository.git("worktree", "add", "-q", "--detach", worktree);
    await leaveAttempt(plan, "T-other", { state: "working", worktree, base: branch("b", worktree), endedAt: null });
    writeFileSync(join(worktree, "b.txt"), "b\n");
    const own = branch("a", folders[0] as string);
    await leaveAttempt(plan, "T-1", { state: "working", worktree: folders[0] as string, base: own, endedAt: null });
    expect(told(await look()).filter((line) => line.includes("old.txt"))).toEqual([]);
    writeFileSync(join(worktree, "a.txt"), "3\n");
    expect(told(await look())).toContain("merge T-1 T-other a.txt");
  });

  it("are left alone when there is nothing to compare: no worktree, no change", async () => {
    const { plan, look, folders } = await atWork({ "a.txt": "1\n" }, { "a.txt": "2\n" }, {});
    rmSync(folders[1] as string, { recursive: true });
    await leaveAttempt(plan, "T-2", { state: "prepared", worktree: null });
    expect(await look()).toEqual([]);
  });
});

describe("a merge that failed", () => {
  it("is held against whoever put these files onto the branch last", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2"), passing("T-3")]);
    const changes = (...modified: string[]) => ({ created: [], modified, deleted: [] });
    await leaveAttempt(plan, "T-1", { state: "accepted", changes: changes("a.txt") });
    await leaveAttempt(plan, "T-2", { state: "accepted", changes: changes("b.txt") });
    const clash = await plan.store.read(async (reader) => {
      const candidate = await reader.byId("T-3");
      if (!candidate) throw new Error("there is no T-3");
      return [
        await clashOfMerge(reader, candidate, ["a.txt"]),
        await clashOfMerge(reader, candidate, ["c.txt"]),
      ] as const;
    });
    expect(clash[0]).toMatchObject({ layer: "merge", first: { id: "T-1" }, second: { id: "T-3" }, files: ["a.txt"] });
    expect(clash[1]).toBeUndefined();
  });
});
