import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing, standing } from "../../../test/work.js";
import { noteSession } from "../../plan/claim/session-notes.js";
import { start } from "../../plan/claim/start.js";
import { undo } from "../history/take-back.js";
import { move } from "../node/move.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { archive } from "./archive.js";
import { freeze } from "./freeze.js";
import { thaw } from "./thaw.js";
import { waive } from "./waive.js";

describe("freeze", () => {
  it("stops a node and everything open below it, with one reason and one moment", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2"), task("T-3")]);
    await finish(plan, "T-1");
    const { frozen, reason } = must(await freeze(plan, { references: ["STORY-A"], reason: "the API changes" }));
    expect(frozen).toEqual(["STORY-A", "T-2", "T-3"]);
    expect(reason).toBe("the API changes");
    const [story, second] = [await plan.view("STORY-A"), await plan.view("T-2")];
    expect(second).toMatchObject({ status: "frozen", reason: "frozen", because: ["the API changes"] });
    expect(second.freeze).toEqual(story.freeze);
    expect(second.freeze).toMatchObject({ from: "STORY-A", by: "human:ada" });
    expect(await standing(plan, "T-1")).toBe("T-1 done");
    expect(mustFail(await next(plan, {})).reason).toBe("nothing-ready");
  });

  it("by an agent never ends the work of somebody else", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    const [bot, other] = [plan.as("agent:bot"), plan.as("agent:other")];
    must(await start(bot, { reference: "T-1" }));
    for (const reference of ["T-1", "STORY-A"]) {
      expect(mustFail(await freeze(other, { references: [reference] }))).toMatchObject({
        reason: "needs-person",
        message: expect.stringContaining("agent:bot works on T-1."),
      });
    }
    expect(mustFail(await move(other, { references: ["T-1"], to: "FEAT-A" })).reason).toBe("needs-person");
    expect(await standing(plan, "T-1")).toBe("T-1 in_progress");
    must(await freeze(other, { references: ["T-2"] }));
    must(await freeze(bot, { references: ["T-1"] }));
  });

  it("by an agent never ends the work of another conversation in its name", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-freeze-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const plan = await makeApprovedPlan([task("T-1")]);
    const bot = (conversation: string) => ({ ...plan.as("agent:bot"), root: folder, conversation });
    const { epoch } = must(await start(bot("one"), { reference: "T-1" }));
    noteSession(folder, "one", [{ id: "T-1", epoch }]);
    expect(mustFail(await freeze(bot("two"), { references: ["T-1"] }))).toMatchObject({
      message: expect.stringContaining("Another conversation of agent:bot works on T-1."),
    });
    must(await freeze(bot("one"), { references: ["T-1"] }));
  });

  it("gives a reason of its own when there is none", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(must(await freeze(plan, { references: ["T-1"] })).reason).toBe("paused by human:ada");
    expect(mustFail(await ask(plan, "freeze", { references: ["FEAT-A"], reason: "  " })).kind).toBe("usage");
  });

  it("refuses what is done, waived, archived or frozen already, and what is not there", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2"), task("T-3")]);
    await finish(plan, "T-1");
    must(await waive(plan, { references: ["T-2"], reason: "not needed" }));
    must(await freeze(plan, { references: ["T-3"] }));
    const refusal = async (reference: string) => mustFail(await freeze(plan, { references: [reference] }));
    expect(await refusal("T-1")).toMatchObject({ kind: "refused", reason: "settled" });
    expect(await refusal("T-2")).toMatchObject({ kind: "refused", reason: "settled" });
    expect(await refusal("T-3")).toMatchObject({ kind: "refused", reason: "frozen" });
    expect(await refusal("T-9")).toMatchObject({ kind: "absent", reason: "not-found" });
    must(await thaw(plan, { references: ["T-3"] }));
    must(await waive(plan, { references: ["FEAT-A"], reason: "enough" }));
    must(await archive(plan, { references: ["FEAT-A"] }));
    expect(await refusal("STORY-A")).toMatchObject({ kind: "refused", reason: "settled" });
  });

  it("ends the claim on it", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const bot = plan.as("agent:bot");
    const [given] = must(await next(bot, {}));
    const { released } = must(await freeze(plan, { references: ["FEAT-A"] }));
    expect(released).toEqual([{ id: "T-1", by: "agent:bot" }]);
    const late = await complete(bot, { reference: "T-1", token: given?.token ?? "" });
    expect(mustFail(late)).toMatchObject({ kind: "refused", reason: "lease-lost" });
    expect((await plan.view("T-1")).claim).toBeNull();
  });

  it("leaves an earlier freeze below as it was, and takes a node that is named twice once", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await freeze(plan, { references: ["T-1"], reason: "first" }));
    const { frozen } = must(await freeze(plan, { references: ["T-2", "STORY-A"], reason: "second" }));
    expect(frozen).toEqual(["STORY-A", "T-2"]);
    expect((await plan.view("T-1")).freeze).toMatchObject({ reason: "first", from: "T-1" });
    expect((await plan.view("T-2")).freeze).toMatchObject({ reason: "second", from: "STORY-A" });
  });

  it("holds what is added below it too", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await freeze(plan, { references: ["STORY-A"] }));
    await addAll(plan, [task("T-2")]);
    expect(await standing(plan, "T-2")).toBe("T-2 frozen");
    expect(must(await thaw(plan, { references: ["STORY-A"] })).thawed).toEqual(["STORY-A", "T-1", "T-2"]);
  });

  it("comes back whole: undo restores every node, the claim and the focus", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2")]);
    const [given] = must(await next(plan, {}));
    const nodes = ["STORY-A", "T-1", "T-2", "FEAT-A"];
    const before = await standing(plan, ...nodes);
    const claim = (await plan.view("T-1")).claim;
    must(await freeze(plan, { references: ["STORY-A"], reason: "wait" }));
    expect(await standing(plan, ...nodes)).not.toBe(before);
    expect((await plan.view("--active")).id).toBe("FEAT-A");
    must(await undo(plan));
    expect(await standing(plan, ...nodes)).toBe(before);
    expect((await plan.view("T-1")).claim).toEqual(claim);
    expect((await plan.view("--active")).id).toBe("T-1");
    must(await complete(plan, { reference: "T-1", token: given?.token ?? "" }));
  });
});

describe("thaw", () => {
  it("finds nothing to do where nothing is frozen", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(mustFail(await thaw(plan, { references: ["T-1"] }))).toMatchObject({ kind: "absent", reason: "not-frozen" });
  });

  it("lets go on what was frozen together, and lists what has a freeze of its own", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    must(await freeze(plan, { references: ["T-2"], reason: "its own" }));
    must(await freeze(plan, { references: ["FEAT-A"] }));
    const { thawed, stillFrozen } = must(await thaw(plan, { references: ["FEAT-A"] }));
    expect(thawed).toEqual(["FEAT-A", "STORY-A", "FEAT-A-LAND", "T-1"]);
    expect(stillFrozen).toEqual(["T-2"]);
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 ready, T-2 frozen");
  });

  it("thaws one node alone when asked", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await freeze(plan, { references: ["STORY-A"] }));
    expect(must(await thaw(plan, { references: ["STORY-A"], partial: true })).stillFrozen).toEqual(["T-1"]);
    expect(await standing(plan, "T-1")).toBe("T-1 frozen");
  });

  it("thaws a part of what was frozen from above", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    must(await freeze(plan, { references: ["FEAT-A"] }));
    expect(must(await thaw(plan, { references: ["T-1"] })).thawed).toEqual(["T-1"]);
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 ready, T-2 frozen");
  });

  it("gives up what was frozen, but nothing that stays frozen on its own or is done", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2"), task("T-3")]);
    await finish(plan, "T-1");
    must(await freeze(plan, { references: ["T-3"] }));
    must(await freeze(plan, { references: ["FEAT-A"] }));
    expect(must(await thaw(plan, { references: ["FEAT-A"], drop: true }))).toMatchObject({
      thawed: ["FEAT-A", "STORY-A", "FEAT-A-LAND", "T-2"],
      dropped: ["T-2"],
      stillFrozen: ["T-3"],
    });
    expect(await standing(plan, "T-1", "T-2", "T-3")).toBe("T-1 done, T-2 dropped, T-3 frozen");
    expect((await plan.view("FEAT-A-LAND")).status).toBe("blocked");
  });

  it("thaws several nodes in one operation, each of them once", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await freeze(plan, { references: ["T-2"], reason: "on its own" }));
    must(await freeze(plan, { references: ["STORY-A"] }));
    expect(mustFail(await thaw(plan, { references: ["STORY-A", "FEAT-A"] })).reason).toBe("not-frozen");
    const { op, thawed, stillFrozen } = must(await thaw(plan, { references: ["T-1", "T-2", "STORY-A"] }));
    expect([thawed, stillFrozen]).toEqual([["STORY-A", "T-1", "T-2"], []]);
    must(await undo(plan, String(op)));
    expect(await standing(plan, "T-1", "T-2", "STORY-A")).toBe("T-1 frozen, T-2 frozen, STORY-A frozen");
  });

  it("grants replans, by a person's word only", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await freeze(plan.as("agent:bot"), { references: ["STORY-A"] }));
    const asAgent = await thaw(plan.as("agent:bot"), { references: ["STORY-A"], grantBudget: 2 });
    expect(mustFail(asAgent).reason).toBe("needs-person");
    must(await thaw(plan, { references: ["STORY-A"], grantBudget: 2 }));
    const story = await plan.store.read((reader) => reader.byId("STORY-A"));
    expect(story?.replansGranted).toBe(2);
  });

  it("lets an agent thaw only what no person froze", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    const bot = plan.as("agent:bot");
    must(await freeze(plan, { references: ["T-1"] }));
    must(await freeze(bot, { references: ["T-2"] }));
    expect(mustFail(await thaw(bot, { references: ["T-1"] }))).toMatchObject({
      kind: "refused",
      reason: "needs-person",
    });
    must(await thaw(bot, { references: ["T-2"] }));
    must(await freeze(bot, { references: ["STORY-A"] }));
    expect(must(await thaw(bot, { references: ["STORY-A"] })).stillFrozen).toEqual(["T-1"]);
  });

  it("lets an agent give up only what nobody approved", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const bot = plan.as("agent:bot");
    must(await freeze(bot, { references: ["T-1"] }));
    expect(mustFail(await thaw(bot, { references: ["T-1"], drop: true })).reason).toBe("needs-person");
    expect(await standing(plan, "T-1")).toBe("T-1 frozen");
  });
});

describe("thaw in a repository", () => {
  function repository(): { folder: string; git: (...args: string[]) => string } {
    const folder = mkdtempSync(join(tmpdir(), "planwright-thaw-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const git = (...args: string[]): string => {
      const identity = ["-c", "user.name=a", "-c", "user.email=a@a"];
      const child = spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" });
      if (child.status !== 0) throw new Error(child.stderr);
      return child.stdout.trim();
    };
    git("init", "-q");
    writeFileSync(join(folder, "a.ts"), "one");
    writeFileSync(join(folder, "b.ts"), "one");
    git("add", ".");
    git("commit", "-qm", "one");
    return { folder, git };
  }

  async function frozenPlan(folder: string, head: string): Promise<TestPlan> {
    const plan = { ...(await makePlan([task("T-1", { files: ["a.ts", "new.ts"] }), task("T-2")])), head: () => head };
    must(await freeze({ ...plan, root: folder, cwd: folder }, { references: ["STORY-A"] }));
    return { ...plan, root: folder, cwd: folder };
  }

  it("refuses when files of the footprint changed since, whether committed or not, and lists them", async () => {
    const { folder, git } = repository();
    const plan = await frozenPlan(folder, git("rev-parse", "HEAD"));
    writeFileSync(join(folder, "a.ts"), "two");
    writeFileSync(join(folder, "b.ts"), "two");
    git("commit", "-qam", "two");
    writeFileSync(join(folder, "new.ts"), "new");
    const refusal = mustFail(await thaw(plan, { references: ["STORY-A"] }));
    expect(refusal).toMatchObject({
      kind: "refused",
      reason: "changed-since-freeze",
      details: { files: ["a.ts", "new.ts"] },
    });
    expect(refusal.message).toContain("a.ts");
    expect(await standing(plan, "T-1")).toBe("T-1 frozen");
    expect(must(await thaw(plan, { references: ["STORY-A"], force: true })).thawed).toEqual(["STORY-A", "T-1", "T-2"]);
  });

  it("never misses a changed file because the footprint is a pattern", async () => {
    const { folder, git } = repository();
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "src/c.ts"), "one");
    git("add", ".");
    git("commit", "-qm", "src");
    const head = git("rev-parse", "HEAD");
    for (const pattern of ["src/**", "src/*.ts", "*.ts", "src"]) {
      const made = await makePlan([task("T-1", { files: [pattern] })]);
      const plan = { ...made, head: () => head, root: folder, cwd: folder };
      must(await freeze(plan, { references: ["T-1"] }));
      writeFileSync(join(folder, "src/c.ts"), pattern);
      git("commit", "-qam", pattern);
      expect(mustFail(await thaw(plan, { references: ["T-1"] })).details).toEqual({ files: ["src/c.ts"] });
    }
  });

  it("never misses what changed on the feature's branch, and does not take earlier work there for a change", async () => {
    const { folder, git } = repository();
    const onFeature = (text: string): void => {
      git("checkout", "-q", "planwright/feature/FEAT-A");
      writeFileSync(join(folder, "a.ts"), text);
      git("commit", "-qam", text);
      git("checkout", "-q", "-");
    };
    git("branch", "planwright/feature/FEAT-A");
    onFeature("before the freeze");
    const plan = await frozenPlan(folder, git("rev-parse", "HEAD"));
    must(await thaw(plan, { references: ["STORY-A"] }));
    must(await freeze(plan, { references: ["STORY-A"] }));
    onFeature("since the freeze");
    expect(mustFail(await thaw(plan, { references: ["STORY-A"] })).details).toEqual({ files: ["a.ts"] });
  });

  it("never takes a file for changed that was dirty before the freeze", async () => {
    const { folder, git } = repository();
    const made = { ...(await makePlan([task("T-1", { files: ["a.ts", "new.ts"] })])), now: Date.now };
    const plan = { ...made, head: () => git("rev-parse", "HEAD"), root: folder, cwd: folder };
    writeFileSync(join(folder, "a.ts"), "dirty");
    const isOlder = (): boolean => statSync(join(folder, "a.ts")).ctimeMs < Date.now() - 100;
    await expect.poll(isOlder, { interval: 5 }).toBe(true);
    must(await freeze(plan, { references: ["T-1"] }));
    must(await thaw(plan, { references: ["T-1"] }));
    must(await freeze(plan, { references: ["T-1"] }));
    writeFileSync(join(folder, "new.ts"), "new");
    expect(mustFail(await thaw(plan, { references: ["T-1"] })).details).toEqual({ files: ["new.ts"] });
    expect(must(await thaw(plan, { references: ["T-1"], drop: true })).dropped).toEqual(["T-1"]);
  });

  it("looks only at the footprint of what is thawed", async () => {
    const { folder, git } = repository();
    const plan = await frozenPlan(folder, git("rev-parse", "HEAD"));
    writeFileSync(join(folder, "a.ts"), "two");
    must(await thaw(plan, { references: ["T-2"] }));
    writeFileSync(join(folder, "a.ts"), "one");
    writeFileSync(join(folder, "b.ts"), "two");
    expect(must(await thaw(plan, { references: ["STORY-A"] })).thawed).toEqual(["STORY-A", "T-1"]);
  });

  it("refuses when git does not know the commit: what cannot be checked has not passed", async () => {
    const { folder, git } = repository();
    const head = git("rev-parse", "HEAD");
    git("checkout", "-q", "--detach");
    for (const branch of git("branch", "--list", "--format=%(refname:short)", "ma*").split("\n"))
      git("branch", "-D", branch);
    const frozen = await frozenPlan(folder, "0123456789012345678901234567890123456789");
    const plan = { ...frozen, head: () => head };
    expect(mustFail(await thaw(plan, { references: ["STORY-A"] }))).toMatchObject({
      reason: "changed-since-freeze",
      details: { files: ["a.ts", "new.ts"] },
    });
  });

  it("asks nobody where there is no footprint or no repository", async () => {
    const plan = await makeApprovedPlan([task("T-1", { files: ["a.ts"] })]);
    must(await freeze(plan, { references: ["T-1"] }));
    must(await thaw(plan, { references: ["T-1"] }));
    must(await start(plan, { reference: "T-1" }));
    expect((await plan.view("T-1")).status).toBe("in_progress");
  });
});
