import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { must, type TestPlan, task } from "../../../test/plan.js";
import { makeApprovedPlan } from "../../../test/work.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import { createItem } from "../../model/item/item.js";
import { ok } from "../../model/result.js";
import { act } from "../../plan/base/context.js";
import { start } from "../../plan/claim/start.js";
import { releaseClaim } from "../claim/release.js";
import { complete } from "../task/hand-in.js";

import { stopHook } from "./stop.js";

async function makePlan(): Promise<{ plan: TestPlan; bot: TestPlan; stops: string }> {
  const root = mkdtempSync(join(tmpdir(), "planwright-stop-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const inRoot = (plan: TestPlan): TestPlan => ({ ...plan, root, as: (actor) => inRoot(plan.as(actor)) });
  const plan = inRoot(await makeApprovedPlan([task("T-1"), task("T-2")]));
  return { plan, bot: plan.as("agent:bot"), stops: join(root, ".planwright", "stops") };
}

const asked = (rest: Partial<Parameters<typeof stopHook>[1]> = {}): Parameters<typeof stopHook>[1] => ({
  session: "s-1",
  active: false,
  cwd: "/home",
  task: null,
  isSaid: true,
  ...rest,
});

const stop = async (plan: TestPlan, rest: Partial<Parameters<typeof stopHook>[1]> = {}): Promise<string> => {
  const answer = must(await stopHook(plan, asked(rest)));
  return "decision" in answer ? `${answer.decision} ${/claimed (\S+)/.exec(answer.reason)?.[1] ?? ""}` : "go";
};

describe("the stop hook", () => {
  it("keeps an agent at its task, three times, and leaves nothing behind", async () => {
    const { bot, stops } = await makePlan();
    expect(await stop(bot)).toBe("go");
    must(await start(bot, { reference: "T-1" }));
    const answers: string[] = [];
    for (let i = 0; i < 4; i++) answers.push(await stop(bot));
    expect(answers).toEqual(["block T-1", "block T-1", "block T-1", "go"]);
    expect(readdirSync(stops)).toEqual([]);
    expect(await stop(bot)).toBe("block T-1");
  });

  it("lets go when the host says that it went on because of us", async () => {
    const { bot, stops } = await makePlan();
    must(await start(bot, { reference: "T-1" }));
    expect(await stop(bot)).toBe("block T-1");
    expect(await stop(bot, { active: true })).toBe("go");
    expect(readdirSync(stops)).toEqual([]);
  });

  it("lets go of what is handed in, given back or lost", async () => {
    const { plan, bot, stops } = await makePlan();
    const { token } = must(await start(bot, { reference: "T-1" }));
    expect(await stop(bot)).toBe("block T-1");
    must(await complete(bot, { reference: "T-1", token }));
    expect(await stop(bot)).toBe("go");
    expect(readdirSync(stops)).toEqual([]);
    const second = must(await start(bot, { reference: "T-2" }));
    must(await releaseClaim(bot, { reference: "T-2", token: second.token }));
    expect(await stop(bot)).toBe("go");
    must(await start(bot, { reference: "T-2" }));
    plan.pass(24 * 3_600_000);
    expect(await stop(bot)).toBe("go");
  });

  it("holds nobody to another's task, and counts for each session (weakness 5.5.4)", async () => {
    const { plan, bot } = await makePlan();
    const eve = plan.as("agent:eve");
    must(await start(bot, { reference: "T-1" }));
    expect(await stop(eve)).toBe("go");
    expect(await stop(eve, { task: "T-1" })).toBe("go");
    for (let i = 0; i < 3; i++) expect(await stop(bot)).toBe("block T-1");
    expect(await stop(bot, { session: "s-2" })).toBe("block T-1");
    expect(await stop(bot)).toBe("go");
  });

  it("begins to count again with another task", async () => {
    const { bot } = await makePlan();
    const { token } = must(await start(bot, { reference: "T-1" }));
    for (let i = 0; i < 3; i++) expect(await stop(bot)).toBe("block T-1");
    must(await start(bot, { reference: "T-2" }));
    must(await complete(bot, { reference: "T-1", token }));
    expect(await stop(bot)).toBe("block T-2");
  });

  it("knows a task by the worktree of its attempt, whatever the folder is called", async () => {
    const { bot } = await makePlan();
    const { token } = must(await start(bot, { reference: "T-1" }));
    const worktree = join(bot.root, "slot-1");
    const link = join(bot.root, "link");
    mkdirSync(join(worktree, "src"), { recursive: true });
    symlinkSync(worktree, link);
    await act(bot, "attempt", async (writer) => {
      const nr = (await writer.byId("T-1"))?.nr ?? 0;
      const attempt = { task: nr, taskId: "T-1", state: "working", worktree, token } as Partial<Attempt> as Attempt;
      return ok({ sentence: "began", changes: [createItem("attempt", "ATT-00001", attempt)], value: null });
    });
    expect(await stop(bot, { isSaid: false })).toBe("go");
    expect(await stop(bot, { isSaid: false, cwd: join(link, "src") })).toBe("block T-1");
  });

  it("sweeps away what sessions left behind, and what it cannot count it does not stop", async () => {
    const { bot, stops } = await makePlan();
    must(await start(bot, { reference: "T-1" }));
    mkdirSync(stops, { recursive: true });
    const old = join(stops, "old");
    writeFileSync(old, "not even JSON");
    utimesSync(old, 0, 0);
    expect(await stop(bot)).toBe("block T-1");
    expect(existsSync(old)).toBe(false);
    rmSync(stops, { recursive: true });
    writeFileSync(stops, "in the way");
    expect(await stop(bot)).toBe("go");
  });
});
