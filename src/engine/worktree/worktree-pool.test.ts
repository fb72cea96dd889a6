import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { attemptEnvironment, newRehearsal } from "../../machine/worktrees/environment.js";
import type { EngineServices } from "../services.js";
import { Engine } from "../tick/engine.js";
import { removeIdleWorktrees, settleSlots } from "./worktree-pool.js";

/** The number of a process that is no more. */
async function endedProcess(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid ?? 0;
}

it("go with the temporary folders of killed attempts and rehearsals; those of the living and of others stay", async () => {
  let begin = (): void => undefined;
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  const shop = await openShop([fileTask("one")], {
    doing: ({ env }, { signal }) =>
      new Promise((end) => {
        writeFileSync(join(env["PLANWRIGHT_TMP"] ?? "", "mine"), "");
        signal.addEventListener("abort", () => end({ ending: "cancelled" }), { once: true });
        begin();
      }),
  });
  const tmp = mkdtempSync(join(shop.repository.around, "tmp-"));
  const env = { ...process.env, TMPDIR: tmp };
  const services: EngineServices = { ...shop.services, env };
  const engine = new Engine(services, { obeysLevels: false, workers: 1 });
  must(await engine.tick());
  await begun;
  const place = { task: "T", root: shop.plan.root, worktree: tmp, settings: services.policy, env };
  const made = async (slot: number, attempt: string): Promise<string> =>
    must(await attemptEnvironment({ ...place, slot, attempt })).tmp;
  const killed = await made(2, "ATT-00099");
  writeFileSync(join(killed, "left"), "");
  const [going, ended] = [newRehearsal().slot, newRehearsal().slot];
  const rehearsed = async (slot: number, pid: number): Promise<string> =>
    must(await attemptEnvironment({ ...place, slot, lane: 40 + (slot === ended ? 1 : 0), attempt: `dry-run-${pid}` }))
      .tmp;
  const rehearsal = await rehearsed(going, process.pid);
  await rehearsed(ended, await endedProcess());
  const pool = services.policy.worktrees;
  for (const slot of [going, ended]) mkdirSync(join(pool, `slot-${slot}`));
  const another = killed.replace(/-[0-9a-f]{12}-/, "-000000000000-");
  mkdirSync(another);
  symlinkSync(another, killed.replace("ATT-00099", "ATT-00098"));
  await removeIdleWorktrees(services);
  const names = [
    rehearsal,
    another,
    killed.replace("ATT-00099", "ATT-00098"),
    killed.replace("2-ATT-00099", "1-ATT-00001"),
  ];
  expect(
    readdirSync(tmp)
      .map((name) => join(tmp, name))
      .toSorted(),
  ).toEqual(names.toSorted());
  expect(readdirSync(pool).toSorted()).toEqual(["slot-1", "slot-1.repository", `slot-${going}`].toSorted());
  const caches = readdirSync(join(shop.plan.root, ".planwright/cache"));
  expect(caches.toSorted()).toEqual(["slot-1", "slot-2", `slot-${going}`].toSorted());
  await engine.stop();
  expect(readdirSync(tmp).length).toBe(3);
});

it("are forgotten by the repository when somebody has removed their folder", async () => {
  const shop = await openShop([fileTask("one")]);
  const pool = shop.services.policy.worktrees;
  shop.git("worktree", "add", "-q", "--detach", join(pool, "slot-7"));
  rmSync(join(pool, "slot-7"), { recursive: true });
  await removeIdleWorktrees(shop.services);
  expect(shop.git("worktree", "list").split("\n")).toHaveLength(1);
});

it("are not begun in while a program that runs removes some, and what a killed one left stops nobody", async () => {
  const shop = await openShop([fileTask("one")]);
  const pool = shop.services.policy.worktrees;
  mkdirSync(pool, { recursive: true });
  const services: EngineServices = { ...shop.services, process: "test/1", isAlive: (driver) => driver === "test/2" };
  const [running, killed, elsewhere, old] = ["test%2F2", "test%2F3", "other%2F2", "other%2F3"].map((name) =>
    join(pool, `removing-${name}-1`),
  ) as [string, string, string, string];
  for (const mark of [running, killed, elsewhere, old]) writeFileSync(mark, "");
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(old, longAgo, longAgo);
  let settled = false;
  const settling = settleSlots(services, new AbortController().signal).then(() => {
    settled = true;
  });
  // Whether a program on another machine runs cannot be known, so what it has just left counts.
  await expect.poll(() => readdirSync(pool).sort()).toEqual(["removing-other%2F2-1", "removing-test%2F2-1"]);
  rmSync(elsewhere);
  expect(settled).toBe(false);
  rmSync(running);
  await settling;
  await removeIdleWorktrees(services);
  expect(readdirSync(pool)).toEqual([]);
});
