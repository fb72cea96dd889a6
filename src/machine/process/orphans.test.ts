// What a killed program leaves running is ended by the next, and nothing else is.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs, needsProc } from "../../../test/needs.js";
import { endOrphans, noteRunning } from "./orphans.js";

function begin(script = "exec sleep 60"): {
  folder: string;
  pid: number;
  ended: Promise<string | null>;
  isRunning: () => boolean;
} {
  const folder = mkdtempSync(join(tmpdir(), "planwright-orphans-"));
  const child = spawn("/bin/sh", ["-c", script], { cwd: folder, detached: true, stdio: "ignore" });
  const ended = new Promise<string | null>((done) => child.on("exit", (_, signal) => done(signal)));
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    pid: child.pid as number,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
  };
}

describe("what is left running", needsProc, () => {
  const rewrite = (file: string, change: object): void =>
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, "utf8")) as object), ...change }));

  it("is left alone while its owner is there, and its note goes with it", async () => {
    const { folder, pid, isRunning } = begin();
    const forget = noteRunning(pid, folder);
    await endOrphans(folder);
    expect([readdirSync(folder), isRunning()]).toEqual([[`${pid}.json`], true]);
    forget();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is noted in a folder that is not there yet", () => {
    const { folder, pid } = begin();
    const fresh = join(folder, "not/there");
    noteRunning(pid, fresh);
    expect(readdirSync(fresh)).toEqual([`${pid}.json`]);
  });

  it("is ended when its owner is gone, even if another has the owner's number now", async () => {
    const { folder, pid, ended } = begin();
    noteRunning(pid, folder);
    rewrite(join(folder, `${pid}.json`), { ownerBegan: "long ago" });
    await endOrphans(folder);
    expect(await ended).toBe("SIGTERM");
    expect(readdirSync(folder)).toEqual([]);
  });

  // Without it no command leads a group of its own.
  it(
    "is asked to end also where it leads a group of its own",
    needs(existsSync("/usr/bin/setsid"), "setsid (util-linux) is not installed"),
    async () => {
      const { folder, pid } = begin(
        "trap : TERM; (exec setsid sh -c 'trap \"touch asked; exit\" TERM; touch up; while :; do sleep 0.05; done'); exit",
      );
      noteRunning(pid, folder);
      await expect.poll(() => readdirSync(folder)).toContain("up");
      rewrite(join(folder, `${pid}.json`), { ownerBegan: "long ago" });
      await endOrphans(folder);
      expect(readdirSync(folder).sort()).toEqual(["asked", "up"]);
    },
  );

  it.each([
    ["began at another moment", { child: "long ago", ownerBegan: "long ago" }],
    ["is described by nonsense", { child: 7, owner: "me" }],
  ])("is left alone when the process of that number %s", async (_, change) => {
    const { folder, pid, isRunning } = begin();
    noteRunning(pid, folder);
    rewrite(join(folder, `${pid}.json`), change);
    await endOrphans(folder);
    expect([readdirSync(folder), isRunning()]).toEqual([[], true]);
  });

  it("is not noted without a folder or a process, nor looked for where there is none", async () => {
    const { folder, pid } = begin();
    noteRunning(pid)();
    noteRunning(undefined, folder)();
    await endOrphans(join(folder, "absent"));
    expect(readdirSync(folder)).toEqual([]);
  });
});
