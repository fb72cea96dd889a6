import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaveAttempt, parked } from "../../../test/attempts.js";
import { gitIn } from "../../../test/git-repository.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop, type Shop, type ShopOptions } from "../../../test/shop.js";
import { changeItem } from "../../model/item/item.js";
import { ok } from "../../model/result.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { act } from "../../plan/base/context.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { thaw } from "../../verbs/branch/thaw.js";
import { edit } from "../../verbs/node/edit.js";
import { next } from "../../verbs/task/next.js";
import type { EngineEvent } from "../services.js";
import type { HandWorktree } from "./begin-hand-work.js";
import type { EndInput, HandInResult } from "./end-hand-work.js";
import { type HandWork, openHandWork } from "./end-hand-work.js";

const FEATURE = "planwright/feature/FEAT-A";
const KEPT = "refs/planwright/kept/ATT-00001";

interface Desk {
  readonly shop: Shop;
  readonly lines: string[];
  desk(actor?: string, cwd?: string): HandWork;
  begin(reference?: string): Promise<HandWorktree>;
  finish(input?: EndInput): Promise<HandInResult>;
  readonly signal: AbortSignal;
}

const checked = fileTask("one", { checks: [{ run: "grep -q right one.txt" }] });

async function openDesk(tasks = [checked], options: ShopOptions = {}): Promise<Desk> {
  const shop = await openShop(tasks, options);
  const lines: string[] = [];
  const { signal } = new AbortController();
  const onEvent = (event: EngineEvent): void => {
    if (event.type === "line") lines.push(event.line);
  };
  const desk = (actor = "human:ada", cwd = shop.repository.path): HandWork =>
    openHandWork({ ...shop.services, onEvent }, { ...shop.plan.as(actor), cwd });
  return {
    shop,
    lines,
    desk,
    signal,
    begin: async (reference = "T-one") => must(await desk().begin({ reference }, signal)),
    finish: async (input = { reference: "T-one" }) => must(await desk().finish(input, signal)),
  };
}

const attemptBranches = ({ shop }: Desk): string =>
  shop.git("for-each-ref", "--format=%(refname:short)", "refs/heads/planwright/attempt");

describe("work by hand", () => {
  it("gives a person the task, a folder at the feature's tip, a branch and an environment", async () => {
    const desk = await openDesk();
    const place = await desk.begin();
    const folder = join(desk.shop.services.policy.worktrees, "ATT-00001");
    expect(place).toMatchObject({ attempt: "ATT-00001", task: "T-one", worktree: folder, resumed: false });
    expect(place.env).toMatchObject({
      PLANWRIGHT_ACTOR: "human:ada",
      PLANWRIGHT_TASK: "T-one",
      PLANWRIGHT_WORKTREE: folder,
      TMPDIR: place.env["PLANWRIGHT_TMP"],
    });
    expect(Object.keys(place.env)).not.toContain("PATH");
    expect(existsSync(place.env["PLANWRIGHT_TMP"] ?? "")).toBe(true);
    expect(readFileSync(place.env["PLANWRIGHT_BUNDLE"] ?? "", "utf8")).toContain("Make one");
    expect(gitIn(folder, "branch", "--show-current")).toBe("planwright/attempt/ATT-00001");
    expect(gitIn(folder, "rev-parse", "HEAD")).toBe(desk.shop.git("rev-parse", FEATURE));
    expect(await desk.shop.plan.view("T-one")).toMatchObject({ status: "in_progress", claim: { by: "human:ada" } });
    const [attempt] = await desk.shop.attempts();
    expect(attempt).toMatchObject({ state: "working", worker: { kind: "person", name: "ada" }, by: "human:ada" });
  });

  it("takes up rejected work in one operation, so that no engine begins it in between", async () => {
    const desk = await openDesk();
    const { plan } = desk.shop;
    await leaveAttempt(plan, "T-one", {}, { patch: parked, question: {} });
    expect((await plan.view("T-one")).status).toBe("rejected");
    expect(mustFail(await desk.desk("agent:bot").begin({ reference: "T-one" }, desk.signal)).reason).toBe("rejected");
    await desk.begin();
    expect(await plan.view("T-one")).toMatchObject({ status: "in_progress", acceptance: null });
    const operations = await plan.store.read((reader) => reader.operations({ limit: 100 }));
    const claim = operations.find(({ sentence }) => sentence.includes("began ATT-00002"));
    const changes = await plan.store.read((reader) => reader.changes(claim?.op ?? 0));
    const task = changes.find(({ entity }) => entity === "node");
    expect(Object.keys(task?.after ?? {})).toEqual(expect.arrayContaining(["acceptance", "claim"]));
    expect(must(await listQuestions(plan, {}))).toEqual([]);
  });

  it("is there for weeks, whatever programs do meanwhile", async () => {
    const desk = await openDesk();
    await desk.begin();
    desk.shop.plan.pass(20 * 86_400_000);
    await next(desk.shop.plan.as("agent:bot"), {});
    await desk.shop.workThrough(desk.shop.engine());
    expect((await desk.shop.attempts())[0]?.state).toBe("working");
    expect(await desk.begin()).toMatchObject({ attempt: "ATT-00001", resumed: true });
    // Whoever asks again has the whole time again.
    desk.shop.plan.pass(20 * 86_400_000);
    await next(desk.shop.plan.as("agent:bot"), {});
    expect((await desk.shop.plan.view("T-one")).status).toBe("in_progress");
  });

  it("--done puts one commit of exactly the change set on the feature's branch, once its checks passed", async () => {
    const desk = await openDesk();
    const { worktree, env } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "right\n");
    // People commit, as often as they like.
    gitIn(worktree, "add", "-A");
    gitIn(worktree, "commit", "-qm", "wip");
    writeFileSync(join(worktree, "two.txt"), "too\n");
    const handed = await desk.finish();
    expect(handed).toMatchObject({ state: "accepted", task: "T-one", kept: null, worktree: null });
    expect(desk.lines).toEqual(["check: grep -q right one.txt"]);
    expect(desk.shop.git("diff", "--name-status", "main", FEATURE)).toBe("A\tone.txt\nA\ttwo.txt");
    expect(desk.shop.git("log", "--format=%s", `main..${FEATURE}`)).toBe("T-one: Make one");
    expect(desk.shop.git("log", "-1", "--format=%(trailers:key=Planwright-Worker,valueonly)", FEATURE).trim()).toBe(
      "ada",
    );
    expect(await desk.shop.plan.view("T-one")).toMatchObject({ status: "done", report: { commit: handed.merged } });
    expect([existsSync(worktree), existsSync(env["PLANWRIGHT_TMP"] ?? ""), attemptBranches(desk)]).toEqual([
      false,
      false,
      "",
    ]);
    expect((await desk.shop.plan.store.verify()).differences).toEqual([]);
  });

  it("--done shows what a check found and leaves everything as it is", async () => {
    const desk = await openDesk();
    const { worktree, env } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "wrong\n");
    const refusal = await desk.finish();
    expect(refusal).toMatchObject({ state: "open", worktree, checks: [{ passed: false }] });
    expect(refusal.note).toContain("`grep -q right one.txt` failed: exit 1");
    expect((await desk.shop.attempts())[0]).toMatchObject({ state: "working" });
    expect((await desk.shop.plan.view("T-one")).status).toBe("in_progress");
    expect([existsSync(env["PLANWRIGHT_TMP"] ?? ""), readFileSync(join(worktree, "one.txt"), "utf8")]).toEqual([
      true,
      "wrong\n",
    ]);
    writeFileSync(join(worktree, "one.txt"), "right\n");
    expect((await desk.finish()).state).toBe("accepted");
  });

  it("--keep leaves the folder, on what was merged, until it is abandoned", async () => {
    const desk = await openDesk();
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "right\n");
    const handed = await desk.finish({ reference: "T-one", keep: true });
    expect(handed).toMatchObject({ state: "accepted", worktree });
    expect([gitIn(worktree, "status", "--porcelain"), gitIn(worktree, "rev-parse", "HEAD")]).toEqual([
      "",
      handed.merged,
    ]);
    expect(await desk.desk().list()).toMatchObject([{ task: "T-one", since: null, worktree }]);
    writeFileSync(join(worktree, "more.txt"), "x\n");
    expect(mustFail(await desk.desk().abandon({ reference: "T-one" }))).toMatchObject({
      reason: "unkept-changes",
      message: expect.stringContaining("more.txt") as string,
    });
    gitIn(worktree, "clean", "-fdq");
    expect(must(await desk.desk().abandon({ reference: "T-one" })).worktree).toBeNull();
    expect([existsSync(worktree), await desk.desk().list()]).toEqual([false, []]);
    expect((await desk.shop.plan.view("T-one")).status).toBe("done");
  });

  it("--abandon gives the task back and keeps what was done, uncommitted changes too", async () => {
    const desk = await openDesk();
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "half\n");
    const given = must(await desk.desk().abandon({ reference: "T-one" }));
    expect(given).toMatchObject({ state: "released", kept: KEPT, worktree: null });
    expect(desk.shop.git("show", `${KEPT}:one.txt`)).toBe("half");
    expect([existsSync(worktree), attemptBranches(desk)]).toEqual([false, ""]);
    expect((await desk.shop.plan.view("T-one")).status).toBe("ready");
    expect(await desk.begin()).toMatchObject({ attempt: "ATT-00002", resumed: false });
  });

  it("keeps commits, too, that the person made before they went to another branch", async () => {
    const desk = await openDesk();
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "first thoughts\n");
    gitIn(worktree, "add", "-A");
    gitIn(worktree, "commit", "-qm", "first thoughts");
    const first = gitIn(worktree, "rev-parse", "HEAD");
    gitIn(worktree, "switch", "-q", "-c", "elsewhere", "main");
    writeFileSync(join(worktree, "one.txt"), "second thoughts\n");
    must(await desk.desk().abandon({ reference: "T-one" }));
    expect(desk.shop.git("show", `${KEPT}:one.txt`)).toBe("second thoughts");
    expect(desk.shop.git("rev-list", KEPT).split("\n")).toContain(first);
  });

  it("finds the task by the folder that the person is in", async () => {
    const desk = await openDesk();
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "right\n");
    expect(mustFail(await desk.desk().finish({}, desk.signal)).kind).toBe("usage");
    expect(must(await desk.desk("human:ada", worktree).finish({}, desk.signal)).state).toBe("accepted");
  });
});

describe("work by hand, together with others", () => {
  /** T-one is done by hand while a program does T-two, which appends to the same file as one of them says. */
  async function overtaken(check: string, onto: string): Promise<Desk & { worktree: string }> {
    const desk = await openDesk(
      [
        fileTask("one", { checks: [{ run: check }] }),
        fileTask("two", { body: `\`\`\`sh run\n${onto}\n\`\`\``, checks: [{ run: "true" }] }),
      ],
      { files: { "shared.txt": "a\n", ".gitignore": ".planwright\n.env\n" } },
    );
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, ".env"), "MINE=1\n");
    writeFileSync(join(worktree, "one.txt"), "right\n");
    await desk.shop.workThrough();
    expect((await desk.shop.plan.view("T-two")).status).toBe("done");
    return { ...desk, worktree };
  }

  it("is checked again on what others did meanwhile, and what git ignores stays", async () => {
    const desk = await overtaken("test -f one.txt", "echo two > two.txt");
    expect(await desk.finish({ reference: "T-one", keep: true })).toMatchObject({ state: "accepted" });
    expect(desk.shop.git("ls-tree", "--name-only", FEATURE).split("\n")).toEqual(
      expect.arrayContaining(["one.txt", "two.txt"]),
    );
    expect(desk.lines).toEqual(["check: test -f one.txt", "check: test -f one.txt"]);
    expect(readFileSync(join(desk.worktree, ".env"), "utf8")).toBe("MINE=1\n");
  });

  it("is fixed in the folder as it was if the checks fail on the merged tree", async () => {
    const desk = await overtaken("test ! -f two.txt || grep -q two one.txt", "echo two > two.txt");
    const refusal = await desk.finish();
    expect(refusal).toMatchObject({ state: "open", note: expect.stringContaining("After merging") as string });
    expect(refusal.note).toContain(`git merge ${FEATURE}`);
    expect(refusal.note).not.toContain("\n");
    expect(existsSync(join(desk.worktree, "two.txt"))).toBe(false);
    writeFileSync(join(desk.worktree, "one.txt"), "right and two\n");
    expect((await desk.finish()).state).toBe("accepted");
    expect(desk.shop.git("diff", "--name-status", `${FEATURE}~1`, FEATURE)).toBe("A\tone.txt");
    expect(desk.shop.git("log", "--format=%s", `main..${FEATURE}`).split("\n")).toEqual([
      "T-one: Make one",
      "T-two: Make two",
    ]);
  });

  it("says which files do not merge, and takes what the person made of it", async () => {
    const desk = await overtaken("true", "echo two > shared.txt");
    writeFileSync(join(desk.worktree, "shared.txt"), "one\n");
    const refusal = await desk.finish();
    expect(refusal).toMatchObject({ state: "open", note: expect.stringContaining("shared.txt") as string });
    expect(refusal.note).toContain(`git merge ${FEATURE}`);
    expect(refusal.note).not.toContain("\n");
    gitIn(desk.worktree, "add", "-A");
    gitIn(desk.worktree, "commit", "-qm", "mine");
    expect(() => gitIn(desk.worktree, "merge", FEATURE)).toThrow("git merge");
    expect(mustFail(await desk.desk().finish({ reference: "T-one" }, desk.signal)).reason).toBe("merging");
    writeFileSync(join(desk.worktree, "shared.txt"), "two\none\n");
    gitIn(desk.worktree, "commit", "-qam", "merged");
    expect((await desk.finish()).state).toBe("accepted");
    expect(desk.shop.git("show", `${FEATURE}:shared.txt`)).toBe("two\none");
    expect(desk.shop.git("rev-list", "--count", `main..${FEATURE}`)).toBe("2");
  });

  it("is not begun beside somebody who works on the same files", async () => {
    const desk = await openDesk([fileTask("one"), fileTask("also", { files: ["one.txt"] })]);
    await desk.begin();
    const refusal = mustFail(await desk.desk("human:bob").begin({ reference: "T-also" }, desk.signal));
    expect(refusal).toMatchObject({
      kind: "refused",
      reason: "conflict",
      details: { because: ["T-one"] },
      next: [
        { operation: "why", input: { reference: "T-also" } },
        { operation: "next", input: { reference: "T-also" }, needs: ["despite"] },
      ],
    });
    expect(mustFail(await desk.desk("human:bob").begin({ reference: "T-one" }, desk.signal)).reason).toBe("in-flight");
    expect(mustFail(await desk.desk("human:bob").finish({ reference: "T-one" }, desk.signal)).reason).toBe("not-yours");
    expect(mustFail(await desk.desk("agent:bot").begin({ reference: "T-also" }, desk.signal)).reason).toBe("conflict");
  });

  it("is open to agents: a worktree of its own, the usual lease, and the same judgement", async () => {
    const desk = await openDesk();
    const agent = desk.desk("agent:bot");
    const begun = must(await agent.begin({ reference: "T-one" }, desk.signal));
    expect(begun).toMatchObject({ task: "T-one", base: desk.shop.git("rev-parse", "main") });
    const { claim } = await desk.shop.plan.view("T-one");
    const lease = Date.parse(claim?.leaseUntil ?? "") - Date.parse(claim?.at ?? "");
    expect(lease).toBeLessThan(24 * 3_600_000);
    writeFileSync(join(begun.worktree, "one.txt"), "wrong\n");
    expect(must(await agent.finish({ reference: "T-one" }, desk.signal)).state).toBe("open");
    writeFileSync(join(begun.worktree, "one.txt"), "right\n");
    expect(must(await agent.finish({ reference: "T-one" }, desk.signal)).state).toBe("accepted");
  });
});

describe("work by hand that something came in between of", () => {
  it("is over when its claim is: what was done is kept, and can be begun again", async () => {
    const desk = await openDesk();
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "right\n");
    must(await freeze(desk.shop.plan, { references: ["T-one"], reason: "wait" }));
    expect(mustFail(await desk.desk().finish({ reference: "T-one" }, desk.signal)).reason).toBe("lease-lost");
    expect(desk.shop.git("show", `${KEPT}:one.txt`)).toBe("right");
    must(await thaw(desk.shop.plan, { references: ["T-one"] }));
    expect(await desk.begin()).toMatchObject({ attempt: "ATT-00002" });
  });

  it("is rolled back by the engine when its claim is gone", async () => {
    const desk = await openDesk();
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "right\n");
    must(await freeze(desk.shop.plan, { references: ["T-one"], reason: "wait" }));
    must(await desk.shop.engine().tick());
    expect((await desk.shop.attempts())[0]).toMatchObject({ state: "lost", kept: KEPT });
  });

  it("counts if the branch had moved before anybody wrote down that it is done", async () => {
    const desk = await openDesk();
    const { shop } = desk;
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "right\n");
    gitIn(worktree, "add", "-A");
    gitIn(worktree, "commit", "-qm", "T-one: Make one");
    const merged = gitIn(worktree, "rev-parse", "HEAD");
    const checks = [{ run: "grep", passed: true, outcome: "exit 0", durationMs: 1, output: "" }];
    must(
      await act(shop.plan, "attempt", async (writer) => {
        const item = await writer.item("attempt", "ATT-00001");
        const patch = { state: "integrating", merged, checks } as const;
        return ok({ sentence: "killed here", changes: item ? changeItem(item, patch) : [], value: null });
      }),
    );
    shop.git("update-ref", `refs/heads/${FEATURE}`, merged);
    shop.git("update-ref", "-d", "refs/heads/planwright/attempt/ATT-00001");
    expect(mustFail(await desk.desk().finish({ reference: "T-one" }, desk.signal)).message).toContain("finished");
    expect((await shop.attempts())[0]?.state).toBe("accepted");
    expect(await shop.plan.view("T-one")).toMatchObject({ status: "done", report: { commit: merged } });
    expect(must(await desk.desk().abandon({ reference: "T-one" })).worktree).toBeNull();
    expect(existsSync(worktree)).toBe(false);
  });

  it("is held to the plan as it was approved", async () => {
    const desk = await openDesk();
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "right\n");
    must(await edit(desk.shop.plan, { reference: "T-one", title: "Another" }));
    expect(mustFail(await desk.desk().finish({ reference: "T-one" }, desk.signal)).reason).toBe("approval-stale");
  });

  it("is not handed in if nothing was changed, or if it was not begun", async () => {
    const desk = await openDesk();
    expect(mustFail(await desk.desk().finish({ reference: "T-one" }, desk.signal)).reason).toBe("not-begun");
    await desk.begin();
    expect(mustFail(await desk.desk().finish({ reference: "T-one" }, desk.signal)).reason).toBe("nothing-changed");
    expect((await desk.shop.attempts())[0]?.state).toBe("working");
  });

  it("waits for a person if the task has no checks", async () => {
    const desk = await openDesk([fileTask("one", { checks: [] })]);
    const { worktree } = await desk.begin();
    writeFileSync(join(worktree, "one.txt"), "right\n");
    expect(await desk.finish()).toMatchObject({ state: "pending", kept: KEPT });
    expect((await desk.shop.plan.view("T-one")).acceptance?.state).toBe("pending");
  });

  it("begins again if its folder is gone or was never made", async () => {
    const desk = await openDesk();
    const { worktree } = await desk.begin();
    desk.shop.git("worktree", "remove", "--force", worktree);
    expect(await desk.begin()).toMatchObject({ attempt: "ATT-00002", resumed: false });
    expect((await desk.shop.attempts()).map(({ state }) => state)).toEqual(["lost", "working"]);
  });

  it("gives the task back if there is no place to work", async () => {
    const desk = await openDesk([checked], { policy: { setup: ["echo broken; exit 3"] } });
    const refusal = mustFail(await desk.desk().begin({ reference: "T-one" }, desk.signal));
    expect(refusal).toMatchObject({ reason: "not-prepared" });
    expect((await desk.shop.plan.view("T-one")).status).toBe("ready");
    expect(attemptBranches(desk)).toBe("");
  });
});
