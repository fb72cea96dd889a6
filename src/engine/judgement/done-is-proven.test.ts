/* oxlint-disable vitest/no-standalone-expect -- each step of a walk looks at what it did. */
// Whoever works, by whichever door, and however badly: a work task that is done without an override has a commit on its feature's
// branch that holds exactly its change set, and its checks pass on a clean tree of that commit.

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { gitIn, write } from "../../../test/git-repository.js";
import { must } from "../../../test/plan.js";
import { fileTask, handingIn, openShop, type Shop } from "../../../test/shop.js";
import { touchedBy } from "../../model/attempt/attempt.js";
import type { NodeInput } from "../../model/node/content.js";
import type { Node } from "../../model/node/node.js";
import { accept, reset } from "../../plan/claim/settle-tasks.js";
import { approve } from "../../plan/node/approve.js";
import { releaseClaim } from "../../verbs/claim/release.js";
import { redo, undo } from "../../verbs/history/take-back.js";
import { edit } from "../../verbs/node/edit.js";
import { checkTask, complete } from "../../verbs/task/hand-in.js";
import { next } from "../../verbs/task/next.js";
import { integrateAccepted } from "../ending/integrate-accepted.js";
import { openHandWork } from "../hand-work/end-hand-work.js";

const FEATURE = "refs/heads/planwright/feature/FEAT-A";
const CODER = "agent:coder";
const NAMES = ["a", "b", "c", "d"] as const;

/** What a worker does with a task. Only `right`, `commits` and `stray` do the work. */
const HOWS = [
  "right",
  "right",
  "right",
  "commits",
  "stray",
  "wrong",
  "nothing",
  "ignored",
  "fakes",
  "rigs",
  "weakens",
] as const;
type How = (typeof HOWS)[number];

/** A tool that the set-up carries, and that a worker can replace in its own tree. */
const RIGGED = "sh node_modules/tool.sh a.txt";

/** T-a and T-b share a file, T-a is judged by a carried tool, T-c is judged by a script of the repository, T-d can be faked with an ignored file
 * and breaks where it meets a stray file of T-b. */
const TASKS: readonly NodeInput[] = [
  fileTask("a", { files: ["a.txt", "shared.txt"], checks: [{ run: RIGGED }] }),
  fileTask("b", {
    files: ["b.txt", "shared.txt"],
    checks: [{ run: "grep -q right b.txt" }, { run: "test -f README.md" }],
  }),
  fileTask("c", { checks: [{ run: "sh test/c.sh" }], dependsOn: ["T-a"] }),
  fileTask("d", { files: [], checks: [{ run: "grep -qs right d.txt build/d.txt" }, { run: "test ! -f stray-b.txt" }] }),
];
const FILES = {
  ".gitignore": ".planwright\nbuild/\nnode_modules/\n",
  "test/c.sh": "grep -q right c.txt\n",
  "shared.txt": "top\n",
};

const TOOL = { "node_modules/tool.sh": "grep -q right $1\n" };

function doIt(folder: string, id: string, how: How): void {
  const name = id.replace("T-", "");
  const file = join(folder, `${name}.txt`);
  if (how === "right" || how === "commits" || how === "stray") writeFileSync(file, `right, by ${name}\n`);
  if (how === "right" && (name === "a" || name === "b")) appendFileSync(join(folder, "shared.txt"), `${name}\n`);
  if (how === "commits") commitAll(folder);
  if (how === "stray") writeFileSync(join(folder, `stray-${name}.txt`), "x\n");
  if (how === "wrong" || how === "fakes" || how === "rigs") writeFileSync(file, "something else\n");
  if (how === "weakens") writeFileSync(join(folder, "test/c.sh"), "true\n");
  if (how === "rigs") write(folder, { "node_modules/tool.sh": "exit 0\n" });
  if (how !== "ignored" && how !== "fakes") return;
  mkdirSync(join(folder, "build"), { recursive: true });
  writeFileSync(join(folder, "build", `${name}.txt`), "right\n");
}

function commitAll(folder: string): void {
  gitIn(folder, "add", "-A");
  gitIn(folder, "commit", "-q", "--allow-empty", "-m", "wip");
}

const how = fc.constantFrom(...HOWS);
/** Which of the tasks that it could be about. */
const pick = fc.nat(20);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ door: fc.constant("run" as const), how }) },
  { weight: 2, arbitrary: fc.record({ door: fc.constant("work" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ door: fc.constant("work-done" as const), pick, how }) },
  { weight: 2, arbitrary: fc.record({ door: fc.constant("next" as const) }) },
  { weight: 4, arbitrary: fc.record({ door: fc.constantFrom("complete", "complete", "check"), how }) },
  { weight: 5, arbitrary: fc.record({ door: fc.constantFrom("accept", "reset", "release", "edit", "abandon"), pick }) },
  { weight: 2, arbitrary: fc.record({ door: fc.constantFrom("undo", "redo") }) },
);
interface Step {
  readonly door: string;
  readonly how?: How;
  readonly pick?: number;
}

class Walk {
  readonly #signal = new AbortController().signal;
  readonly #proven = new Set<string>();
  /** By which doors tasks were done. */
  readonly #doors: Set<string>;
  /** What the next worker of the engine does. */
  #how: How = "right";
  #shop!: Shop;
  /** The plan holds only hashes of tokens. */
  readonly #tokens = new Map<string, string>();

  constructor(doors: Set<string>) {
    this.#doors = doors;
  }

  async open(): Promise<this> {
    const doing = ({ cwd, task }: { readonly cwd: string; readonly task: Node }): object => {
      doIt(cwd, task.id, this.#how);
      return {};
    };
    this.#shop = await openShop(TASKS, {
      files: FILES,
      doing,
      policy: { fixes: 0, logicRetries: 0, proof: "note", carry: ["node_modules"] },
    });
    write(this.#shop.repository.path, TOOL);
    return this;
  }

  /** A refusal is an answer like any other; only what is done counts. */
  async take({ door, how = "right", pick = 0 }: Step): Promise<void> {
    const { plan, services } = this.#shop;
    const some = async (may: (node: Node) => boolean): Promise<string> => {
      const found = (await this.#nodes()).filter(may);
      return found[pick % Math.max(1, found.length)]?.id ?? "T-a";
    };
    const open = ({ outcome }: Node): boolean => outcome === null;
    const byAda = ({ claim }: Node): boolean => claim?.by === "human:ada";
    const waits = ({ outcome, acceptance }: Node): boolean => outcome === null && acceptance !== null;
    if (door === "run") await this.#run(how);
    if (door === "work") await this.#desk().begin({ reference: await some(open) }, this.#signal);
    if (door === "work-done") await this.#workDone(await some(byAda), how);
    if (door === "abandon") await this.#desk().abandon({ reference: await some(byAda) });
    if (door === "next") await this.#next();
    if (door === "complete" || door === "check") await this.#handIn(how, door === "check");
    if (door === "accept") await accept(plan, { references: [await some(waits)], reason: "I read it" });
    if (door === "accept") await integrateAccepted(services);
    if (door === "reset") await reset(plan, { references: [await some(() => true)], reason: "again" });
    if (door === "release") await releaseClaim(plan, { reference: await some(({ claim }) => claim !== null) });
    if (door === "edit") await this.#edit(await some(open), pick % 2 === 0);
    if (door === "undo") await undo(plan);
    if (door === "redo") await redo(plan);
    await this.#expectProof();
  }

  async #next(): Promise<void> {
    const claimed = await next(this.#shop.plan.as(CODER), {});
    for (const { task, token } of claimed.ok ? claimed.value : []) this.#tokens.set(task.id, token);
  }

  #desk(): ReturnType<typeof openHandWork> {
    return openHandWork(this.#shop.services, this.#shop.plan);
  }

  async #run(how: How): Promise<void> {
    this.#how = how;
    const engine = this.#shop.engine({ workers: 1 });
    must(await engine.tick());
    if (engine.running.length > 0) await engine.oneEnded();
  }

  async #workDone(reference: string, how: How): Promise<void> {
    const desk = this.#desk();
    const entry = (await desk.list()).find(({ task, since }) => task === reference && since !== null);
    if (!entry) return;
    doIt(entry.worktree, entry.task, how);
    await desk.finish({ reference }, this.#signal);
  }

  async #handIn(how: How, rehearse: boolean): Promise<void> {
    const { path: cwd } = this.#shop.repository;
    const context = { ...this.#shop.plan.as(CODER), cwd };
    const held = (await this.#nodes()).find(({ claim }) => claim?.by === CODER);
    if (!held) return;
    doIt(cwd, held.id, how);
    const input = { reference: held.id, token: this.#tokens.get(held.id) ?? "" };
    const services = { ...this.#shop.services, context };
    await (rehearse ? checkTask : complete)(handingIn(services, this.#signal), input);
  }

  async #edit(reference: string, approved: boolean): Promise<void> {
    const { plan } = this.#shop;
    await edit(plan, { reference, title: `Make it at ${plan.now()}` });
    if (approved) await approve(plan, { references: [reference] });
  }

  #nodes(): Promise<Node[]> {
    return this.#shop.plan.store.read((reader) => reader.byIds(NAMES.map((name) => `T-${name}`)));
  }

  async #expectProof(): Promise<void> {
    const done = (await this.#nodes()).filter(({ outcome }) => outcome?.kind === "done");
    for (const node of done) {
      const { acceptance, report } = node;
      if (acceptance?.by !== "checks") {
        expect(acceptance).toMatchObject({ by: "human:ada", reason: "I read it" });
        this.#doors.add("override");
        continue;
      }
      expect(report?.commit, `${node.id} has a commit`).toMatch(/^[0-9a-f]{40}/);
      await this.#expectCommit(node, report?.commit ?? "");
    }
  }

  async #expectCommit({ id, checks }: Node, commit: string): Promise<void> {
    if (this.#proven.has(`${id} ${commit}`)) return;
    const shop = this.#shop;
    const git = (...words: string[]): string => shop.git(...words);
    expect(git("merge-base", commit, FEATURE), `${id} is on the branch`).toBe(commit);
    expect(git("log", "-1", "--format=%(trailers:key=Planwright-Task,valueonly)", commit).trim()).toBe(id);
    const attempt = (await shop.attempts()).find(({ merged }) => merged === commit);
    const changed = git("diff", "--name-only", "--no-renames", `${commit}~1`, commit).split("\n");
    expect(changed).toEqual([...touchedBy(attempt?.changes ?? { created: [], modified: [], deleted: [] })].sort());
    const clean = mkdtempSync(join(tmpdir(), "planwright-proof-"));
    try {
      const archive = spawnSync("git", ["archive", commit], { cwd: this.#shop.repository.path });
      spawnSync("tar", ["-x"], { cwd: clean, input: archive.stdout });
      write(clean, TOOL);
      for (const { run } of checks)
        expect(spawnSync("sh", ["-c", run], { cwd: clean }).status, `${id}: ${run}`).toBe(0);
    } finally {
      rmSync(clean, { recursive: true, force: true });
    }
    this.#proven.add(`${id} ${commit}`);
    this.#doors.add(attempt?.checkout ? "complete" : attempt?.worker.kind === "person" ? "work" : "run");
  }
}

const FULL = process.env["PLANWRIGHT_TEST_FULL"] !== undefined;

it("cannot be done without a commit that passes its checks, by whichever door it was handed in", async () => {
  const doors = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30, size: "max" }), async (steps) => {
      const walk = await new Walk(doors).open();
      for (const each of steps) await walk.take(each);
    }),
    { numRuns: FULL ? 120 : 9, ...(!FULL && { seed: 20_261_118 }), endOnFailure: true },
  );
  expect([...doors].sort()).toEqual(["complete", "override", "run", "work"]);
}, 600_000);
