import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, utimesSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { BIN, makeRig, type Rig } from "./rig.js";

const MANY = 5000;
const OLD = new Date(Date.now() - 91 * 86_400_000);

const folderOf = (rig: Rig): string => join(rig.root, ".planwright", "transcripts");

/** A plan with many old transcripts, a young one, and a file of somebody else. */
function withTranscripts(many: number): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.ok(["init", "--mission", "A shop"]);
  mkdirSync(folderOf(rig), { recursive: true });
  const leave = (name: string, at?: Date): void => {
    writeFileSync(join(folderOf(rig), name), "{}\n");
    if (at) utimesSync(join(folderOf(rig), name), at, at);
  };
  for (let i = 0; i < many; i++) leave(`ATT-${String(i).padStart(5, "0")}.jsonl`, OLD);
  leave("ATT-99999.jsonl");
  leave("mine.txt", OLD);
  return rig;
}

it("shows what would go, removes it, and obeys the settings", () => {
  const rig = withTranscripts(1);
  const dry = rig.run(["gc", "--dry-run"]);
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining("Would remove 1 thing, 0 kB:\n  transcript")]);
  expect(readdirSync(folderOf(rig))).toHaveLength(3);
  rig.write("planwright.json", JSON.stringify({ gc: { transcriptDays: 92, repository: "off" } }));
  expect(rig.ok(["gc"])).toMatchObject({ removed: [], repository: null });
  rig.write("planwright.json", JSON.stringify({ gc: { transcriptDays: "long" } }));
  const bad = rig.run(["gc"]);
  expect([bad.code, bad.stderr]).toEqual([5, expect.stringContaining("gc.transcriptDays")]);
  rig.write("planwright.json", "{}");
  expect(rig.run(["gc", "--as", "agent:bot"]).code).not.toBe(0);
  expect(rig.run(["gc"]).stdout).toContain("Removed 1 thing");
  expect(readdirSync(folderOf(rig)).sort()).toEqual(["ATT-99999.jsonl", "mine.txt"]);
});

it("goes on where a killed one stopped", async () => {
  const rig = withTranscripts(MANY);
  const watcher = watch(folderOf(rig));
  onTestFinished(() => watcher.close());
  const child = spawn(process.execPath, [BIN, "gc"], { cwd: rig.root, env: rig.environment(), stdio: "ignore" });
  const ended = once(child, "exit");
  await Promise.race([once(watcher, "change"), ended]);
  child.kill("SIGKILL");
  await ended;
  expect(readdirSync(folderOf(rig)).length).toBeLessThan(MANY + 2);
  rig.ok(["gc"]);
  expect(readdirSync(folderOf(rig)).sort()).toEqual(["ATT-99999.jsonl", "mine.txt"]);
  rig.ok(["verify"]);
});
