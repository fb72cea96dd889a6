// Many processes on one plan: real ones, on a real file, killed for real.

import { type ChildProcess, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

const FULL = process.env["PLANWRIGHT_TEST_FULL"] === "1";
const PATIENCE_MS = FULL ? 3_600_000 : 600_000;
const WORKER = resolve(import.meta.dirname, "fixtures/worker.mjs");

const storeOf = (rig: Rig): string => join(rig.root, ".planwright/plan.db");

/** A feature with tasks, some of which wait for earlier ones, approved. */
function preparePlan(rig: Rig, tasks: number, dependsOn: (n: number) => number[]): void {
  rig.ok(["init"]);
  const lines = [{ id: "FEAT-1", tier: "feature", title: "All of it" } as object];
  for (let n = 1; n <= tasks; n++) {
    const on = dependsOn(n).map((d) => `T-${d}`);
    lines.push({ id: `T-${n}`, title: `Task ${n}`, parent: "FEAT-1", dependsOn: on, checks: [{ run: "true" }] });
  }
  rig.ok(["add", "--from", "-"], { input: lines.map((line) => JSON.stringify(line)).join("\n") });
  rig.ok(["approve", "FEAT-1"]);
}

interface Worker {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; claimed: string[]; errors: string }>;
}

function startWorker(rig: Rig, name: string, lease: number, mode: "claim" | "finish" | "stay"): Worker {
  const child = spawn(process.execPath, [WORKER, storeOf(rig), name, String(lease), mode], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<Awaited<Worker["ended"]>>((done) => {
    child.on("close", (code, signal) => {
      const last = out.trim().split("\n").at(-1) ?? "";
      done({ code, signal, errors, claimed: last.startsWith("[") ? (JSON.parse(last) as string[]) : [] });
    });
  });
  return { child, ended };
}

describe("eight processes on one plan", () => {
  it(
    "claim every task of a large plan exactly once, without an error, and the log replays",
    async () => {
      const rig = makeRig();
      const tasks = FULL ? 10_000 : 1_000;
      preparePlan(rig, tasks, () => []);
      const workers = Array.from({ length: 8 }, (_, i) => startWorker(rig, `w${i}`, 60, "claim"));
      const results = await Promise.all(workers.map(({ ended }) => ended));
      expect(results.map(({ code, errors }) => ({ code, errors }))).toEqual(
        results.map(() => ({ code: 0, errors: "" })),
      );
      const claimed = results.flatMap((result) => result.claimed);
      expect(claimed).toHaveLength(tasks);
      expect(new Set(claimed).size).toBe(tasks);
      expect(rig.ok(["verify"])).toMatchObject({ operations: 3 + tasks, differences: [] });
    },
    PATIENCE_MS,
  );

  it(
    "lose nothing when they are killed at random: expired leases return, and every task is done once",
    async () => {
      const rig = makeRig();
      const kills = FULL ? 1_000 : 50;
      const tasks = kills * 10;
      preparePlan(rig, tasks, (n) => (n > 50 ? [n - 50] : []));
      let killed = 0;
      const complaints: string[] = [];
      const killOneByOne = async (slot: number): Promise<void> => {
        while (killed < kills) {
          const { child, ended } = startWorker(rig, `w${slot}-${killed}`, 0.02, "stay");
          // Once it works, any moment is as good as another to die.
          child.stdout?.once("data", () => setTimeout(() => child.kill("SIGKILL"), Math.random() * 150));
          const { signal, errors } = await ended;
          if (errors !== "" || signal !== "SIGKILL") complaints.push(errors || `ended by ${signal ?? "itself"}`);
          killed++;
        }
      };
      await Promise.all(Array.from({ length: 4 }, (_, slot) => killOneByOne(slot)));
      const finishers = Array.from({ length: 4 }, (_, slot) => startWorker(rig, `last-${slot}`, 0.02, "finish").ended);
      for (const { code, errors } of await Promise.all(finishers)) if (code !== 0) complaints.push(errors);
      expect(complaints).toEqual([]);
      expect(killed).toBeGreaterThanOrEqual(kills);
      expect(rig.ok(["show", "FEAT-1"])).toMatchObject({ progress: { finished: tasks, total: tasks } });
      expect(rig.ok(["verify"]).differences).toEqual([]);
      expect(rig.ok(["stats"]).statuses.done).toBe(tasks);
    },
    PATIENCE_MS,
  );

  it("refuse a late worker with an old token: exit 3, lease-lost", () => {
    const rig = makeRig();
    preparePlan(rig, 1, () => []);
    const late = rig.ok(["next", "--lease", "0.001", "--as", "agent:late"]);
    let taken: { token: string } | undefined;
    while (taken === undefined) {
      const { code, stdout } = rig.run(["next", "--as", "agent:quick", "--json"]);
      if (code === 0) taken = (JSON.parse(stdout) as { data: { token: string } }).data;
    }
    for (const verb of [["complete"], ["claim", "renew"], ["heartbeat"], ["claim", "release"]]) {
      expect(rig.fails([...verb, "T-1", "--token", late.token, "--as", "agent:late"])).toMatchObject({
        code: 3,
        reason: "lease-lost",
      });
    }
    expect(rig.ok(["show", "T-1"]).claim.by).toBe("agent:quick");
  });
});
