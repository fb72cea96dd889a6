import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { stubGit } from "../../../test/broken-landing.js";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { ok } from "../../model/result.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { setLevel } from "../../plan/level/level.js";
import { beginAttempt } from "../attempt/begin-attempt.js";
import type { EngineServices } from "../services.js";
import { prepareWorktree } from "../worktree/attempt-worktree.js";

import { logFile } from "./background.js";
import type { Announcer } from "./chores.js";
import { serve } from "./daemon.js";
import { Engine } from "./engine.js";

const SILENT: Announcer = { announce: async () => ok({ news: 0, told: Promise.resolve() }) };

/** Runs a daemon until something is so; then it is asked to end. */
async function until(shop: Shop, isSo: () => Promise<boolean>, announcer = SILENT): Promise<void> {
  const stop = new AbortController();
  const served = serve(shop.services, shop.engine({ obeysLevels: true }), announcer, { signal: stop.signal });
  await expect.poll(isSo, { interval: 50 }).toBe(true);
  stop.abort();
  await served;
}

const isDone = (shop: Shop, id: string) => async (): Promise<boolean> => (await shop.plan.view(id)).status === "done";

describe("a daemon", () => {
  it("at level on builds, and lands nothing", async () => {
    const shop = await openShop([fileTask("one")], { policy: { tickSeconds: 0.05 } });
    must(await setLevel(shop.plan, { level: "on" }));
    const main = shop.git("rev-parse", "main");
    await until(shop, isDone(shop, "T-one"));
    expect([shop.git("rev-parse", "main"), (await shop.plan.view("FEAT-A")).status]).toEqual([main, "in_progress"]);
  });

  it("says once, in one sentence, that nobody can do the ready tasks, and claims, rejects and asks nothing", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")], { policy: { tickSeconds: 0.01 } });
    must(await setLevel(shop.plan, { level: "on" }));
    let asked = 0;
    Object.assign(shop.services, {
      workerFor: async () => {
        asked++;
        return { agent: "shell", problem: "no-commands" };
      },
    });
    await until(shop, async () => asked > 6);
    expect(shop.events).toEqual([
      {
        type: "notice",
        text: "No agent can do T-one and T-two, and they have no commands to run. Install an agent, or set roles.worker.",
      },
    ]);
    expect(await shop.attempts()).toEqual([]);
    expect((await shop.plan.view("T-one")).status).toBe("ready");
    expect(must(await listQuestions(shop.plan, { all: true }))).toEqual([]);
  });

  it("cuts its log when it has become too long", async () => {
    const shop = await openShop([fileTask("one")], { policy: { tickSeconds: 0.05 } });
    const log = logFile(shop.plan.root);
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, "x".repeat(5_000_001));
    await until(shop, async () => statSync(log).size === 0);
    expect(statSync(`${log}.1`).size).toBe(5_000_001);
  });

  it("at level auto lands what is finished, as one merge, with the checkout", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")], { policy: { tickSeconds: 0.05 } });
    must(await setLevel(shop.plan, { level: "auto" }));
    await until(shop, isDone(shop, "FEAT-A-LAND"));
    expect(shop.git("log", "--merges", "--format=%h", "main").split("\n").length).toBe(1);
    expect(shop.git("ls-tree", "--name-only", "main").split("\n")).toEqual(
      expect.arrayContaining(["one.txt", "two.txt"]),
    );
    expect(shop.git("status", "--porcelain")).toBe("");
    expect(shop.git("for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main");
    expect(shop.git("worktree", "list").split("\n").length).toBe(1);
  });

  it("lands a feature after a landing that failed, without waiting for the next tick", async () => {
    const policy = { tickSeconds: 3600, backoffSeconds: 0.05 };
    const shop = await openShop([fileTask("one")], { policy });
    must(await setLevel(shop.plan, { level: "auto" }));
    const once = `mkdir "${shop.repository.around}/once" 2>/dev/null`;
    stubGit(shop, `case " $* " in *" merge-tree "*) if ${once}; then exit 128; fi;; esac`);
    await until(shop, isDone(shop, "FEAT-A-LAND"));
    vi.unstubAllEnvs();
    const landings = (await shop.attempts()).filter(({ taskId }) => taskId === "FEAT-A-LAND");
    expect(landings.map(({ state }) => state)).toEqual(["released", "accepted"]);
  });

  it("recovers an attempt after git failed to, without waiting for the next tick", async () => {
    const shop = await openShop([fileTask("one")], { policy: { tickSeconds: 3600 } });
    must(await setLevel(shop.plan, { level: "on" }));
    const task = await shop.plan.store.read((reader) => reader.byId("T-one"));
    const dead: EngineServices = { ...shop.services, process: "test/dead" };
    const begun = must(await beginAttempt(dead, task?.nr ?? 0, { as: { kind: "shell", name: "shell", model: null } }));
    await prepareWorktree(dead, begun, new AbortController().signal);
    const trouble = join(shop.repository.around, "trouble");
    writeFileSync(trouble, "");
    stubGit(shop, `case " $* " in *" update-ref "*) if [ -e "${trouble}" ]; then exit 128; fi;; esac`);
    const notices: string[] = [];
    const services: EngineServices = {
      ...shop.services,
      isAlive: (driver) => driver !== "test/dead",
      onEvent: (event) => {
        if (event.type !== "notice") return;
        notices.push(event.text);
        rmSync(trouble, { force: true });
      },
    };
    const engine = new Engine(services, { obeysLevels: true, workers: 1 });
    await until({ ...shop, services, engine: () => engine }, isDone(shop, "T-one"));
    vi.unstubAllEnvs();
    expect(notices).toEqual([expect.stringContaining("Recovering ATT-00001 failed")]);
  });

  it("goes on after a look at the plan that failed, and says so", async () => {
    const shop = await openShop([fileTask("one")], { policy: { tickSeconds: 0.05 } });
    must(await setLevel(shop.plan, { level: "on" }));
    let asked = 0;
    const broken = async (
      ...args: Parameters<EngineServices["workerFor"]>
    ): ReturnType<EngineServices["workerFor"]> => {
      if (++asked === 1) throw new Error("the disk is full");
      return shop.services.workerFor(...args);
    };
    const failing: Shop = { ...shop, services: { ...shop.services, workerFor: broken } };
    const engine = new Engine(failing.services, { obeysLevels: true, workers: 1 });
    await until({ ...failing, engine: () => engine }, isDone(shop, "T-one"));
    expect(shop.events).toContainEqual({ type: "notice", text: expect.stringContaining("the disk is full") });
  });

  it("tells the news in each round, and a channel that fails stops nothing", async () => {
    let rounds = 0;
    const shop = await openShop([fileTask("one")], {
      policy: { tickSeconds: 0.05 },
      doing: ({ cwd }) => {
        writeFileSync(join(cwd, "one.txt"), "x\n");
        return {};
      },
    });
    must(await setLevel(shop.plan, { level: "on" }));
    const loud: Announcer = {
      announce: async () => {
        rounds++;
        throw new Error("no way to tell");
      },
    };
    await until(shop, isDone(shop, "T-one"), loud);
    expect(rounds).toBeGreaterThan(0);
    expect(shop.events).toContainEqual({ type: "notice", text: "notifying failed: no way to tell" });
  });
});
