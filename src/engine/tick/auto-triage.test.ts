import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaveAttempt, parked } from "../../../test/attempts.js";
import { needsSandbox } from "../../../test/needs-sandbox.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import { setLevel } from "../../plan/level/level.js";
import { drop } from "../../verbs/branch/drop.js";
import { edit } from "../../verbs/node/edit.js";
import { checksOn, TriagePass } from "./chores.js";

const { signal } = new AbortController();

const reject = ({ plan }: Shop, id: string, attempt: Partial<Attempt> = {}, kind: "rejected" | "split" = "rejected") =>
  leaveAttempt(plan, id, attempt, { patch: parked, question: { kind, blocks: [id] } });

const settled = async (pass: TriagePass, most?: number): Promise<string[]> =>
  (await pass.turn(most)).map(({ id, verb, about }) => `${id} ${verb} ${about ?? ""}`);

describe("the triage of an engine", () => {
  it("settles what it can prove, only at level auto, a few at a time, and never a split", async () => {
    const shop = await openShop(["a", "b", "c", "d"].map((name) => fileTask(name)));
    const { plan } = shop;
    for (const id of ["T-a", "T-b", "T-c"]) await reject(shop, id);
    await reject(shop, "T-d", {}, "split");
    for (const reference of ["T-a", "T-b", "T-d"]) must(await drop(plan, { references: [reference] }));
    const pass = new TriagePass(shop.services, signal);
    expect(await settled(pass)).toEqual([]);
    must(await setLevel(plan, { level: "on" }));
    expect(await settled(pass)).toEqual([]);
    must(await setLevel(plan, { level: "auto" }));
    expect(await settled(pass, 1)).toEqual(["ESC-001 withdraw T-a"]);
    expect(await settled(pass, 1)).toEqual(["ESC-002 withdraw T-b"]);
    expect(await settled(pass)).toEqual([]);
  });

  it("leaves alone a feature that is held back", async () => {
    const shop = await openShop([fileTask("a"), fileTask("b")]);
    await reject(shop, "T-a");
    must(await drop(shop.plan, { references: ["T-a"] }));
    must(await setLevel(shop.plan, { level: "auto" }));
    must(await setLevel(shop.plan, { level: "on", in: "FEAT-A" }));
    expect(await settled(new TriagePass(shop.services, signal))).toEqual([]);
  });

  it("accepts by its checks what is on a branch, and does not run them again for nothing", async () => {
    const shop = await openShop([fileTask("a", { checks: [{ run: "echo run >> ../../runs; test -f a.txt" }] })]);
    const { plan, repository } = shop;
    const runs = (): number => readFileSync(join(repository.around, "runs"), "utf8").trim().split("\n").length;
    const tip = repository.commit({ "other.txt": "a\n" });
    await reject(shop, "T-a", { tip });
    must(await setLevel(plan, { level: "auto" }));
    const pass = new TriagePass(shop.services, signal);
    expect(await settled(pass)).toEqual([]);
    expect(await settled(pass)).toEqual([]);
    expect(runs()).toBe(1);
    repository.commit({ "a.txt": "a\n" });
    expect(await settled(pass)).toEqual(["ESC-001 accept T-a"]);
    expect((await plan.view("T-a")).acceptance?.by).toBe("checks");
  });

  it(
    "runs checks in a worktree and a sandbox of its own, and keeps no secret that they say",
    needsSandbox,
    async () => {
      const run = "test ! -w ../../repo/README.md && echo hunter2 && test -f a.txt";
      const shop = await openShop([fileTask("a", { checks: [{ run }] })], { policy: { sandbox: "require" } });
      const services = { ...shop.services, redact: (text: string) => text.replaceAll("hunter2", "[redacted]") };
      // The very commit that is checked out: its checks run elsewhere all the same.
      const on = { commit: shop.repository.commit({ "a.txt": "a\n" }), task: "T-a" };
      expect(must(await checksOn(services, signal)(on, [{ run }]))).toMatchObject([
        { passed: true, output: "[redacted]\n" },
      ]);
      const unconfined = { ...services, env: { ...services.env, PATH: "/nowhere" } };
      expect(mustFail(await checksOn(unconfined, signal)(on, [{ run }]))).toMatchObject({
        reason: "no-sandbox",
        message: expect.stringMatching(/^execution\.sandbox is "require"/),
      });
      expect(shop.git("worktree", "list").split("\n")).toHaveLength(1);
    },
  );

  it("does not try again without end: a task without a budget of attempts is a person's to reset", async () => {
    const shop = await openShop([fileTask("a")]);
    const { plan, repository } = shop;
    repository.commit({ "src/other.ts": "fixed\n" });
    const run = "grep -q fixed src/other.ts";
    must(await edit(plan, { reference: "T-a", checks: [{ run }] }));
    const failed = {
      run,
      passed: false,
      outcome: "exit 1",
      durationMs: 1,
      output: "src/other.ts(3,1): error TS1005: no",
    };
    const changes = { created: ["a.txt"], modified: [], deleted: [] };
    await reject(shop, "T-a", { changes, checks: [failed] });
    must(await setLevel(plan, { level: "auto" }));
    const pass = new TriagePass(shop.services, signal);
    expect(await settled(pass)).toEqual([]);
    must(await edit(plan, { reference: "T-a", attempts: 3 }));
    expect(await settled(pass)).toEqual(["ESC-001 reset T-a"]);
  });
});
