// Several programs find what a killed landing left, at the same time and with a git that fails: one of them puts it right.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  type BrokenLanding,
  beginBroken,
  intend,
  leaveHalf,
  nothingIsLeft,
  stubGit,
} from "../../../test/broken-landing.js";
import { must } from "../../../test/plan.js";
import { beganAt } from "../../machine/process/orphans.js";
import { hasEnded } from "../../model/attempt/attempt.js";
import { reconcile } from "../recovery/reconcile.js";
import { landFeature } from "./land.js";
import { endLanding, landingRef } from "./land-attempt.js";
import { finishLandings } from "./recover.js";

const DEAD = { holder: "test/dead" };

const notices = ({ shop }: BrokenLanding): string[] =>
  shop.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

/** Another program finishes the landing, too, while a git command of the first one waits. */
async function finishBoth(broken: BrokenLanding, command: string): Promise<[string[], string[]]> {
  const { shop, after } = broken;
  const [reached, go] = ["reached", "go"].map((name) => join(shop.repository.around, name)) as [string, string];
  spawnSync("mkfifo", [reached, go]);
  const once = `mkdir "${shop.repository.around}/once" 2>/dev/null`;
  const wait = `if ${once}; then echo > "${reached}"; read -r _ < "${go}"; fi`;
  stubGit(shop, `case " $* " in *" ${command} "*) ${wait};; esac`);
  const first = finishLandings(after);
  await readFile(reached);
  const second = await finishLandings({ ...after, process: "test/third" });
  await writeFile(go, "\n");
  return [(await first).settled, second.settled];
}

it.each([
  ["read-tree", "from"],
  ["diff", "from"],
  ["ls-files", "from"],
  ["update-index", "from"],
  ["restore", "commit"],
] as const)("a program that puts a checkout right is not disturbed by another (git %s)", async (command, is) => {
  const broken = await beginBroken();
  const { shop, after, live, merging } = broken;
  await intend(broken);
  leaveHalf(broken, is === "from", DEAD);
  shop.git("update-ref", "refs/heads/main", merging[is]);
  expect(await finishBoth(broken, command)).toEqual([[live.key], []]);
  vi.unstubAllEnvs();
  nothingIsLeft(shop);
  expect(notices(broken)).toEqual([]);
  const landed = is === "from" ? must(await landFeature(after, "FEAT-A")) : { outcome: "landed" };
  expect(landed).toMatchObject({ outcome: "landed" });
  expect(readFileSync(join(shop.repository.path, "one.txt"), "utf8")).toBe("one\n");
  nothingIsLeft(shop);
});

it("a program that was killed while it put a checkout right is followed by the next", async () => {
  const broken = await beginBroken();
  const { shop, after, live } = broken;
  await intend(broken);
  leaveHalf(broken, true, { holder: "test/settler" });
  const isAlive = (driver: string): boolean => driver !== "test/dead";
  expect((await finishLandings({ ...after, isAlive })).settled).toEqual([]);
  expect((await finishLandings({ ...after, isAlive: () => false })).settled).toEqual([live.key]);
  nothingIsLeft(shop);
});

it("a git that is killed while it puts a checkout right leaves no lock that stops people", async () => {
  const broken = await beginBroken();
  const { shop, after, live } = broken;
  await intend(broken);
  leaveHalf(broken, true, DEAD);
  const index = `"\${GIT_INDEX_FILE:-${shop.repository.path}/.git/index}.lock"`;
  stubGit(shop, `case " $* " in *" update-index "*) : > ${index}; kill -9 $$;; esac`);
  expect((await finishLandings(after)).settled).toEqual([]);
  vi.unstubAllEnvs();
  expect(existsSync(join(shop.repository.path, ".git/index.lock"))).toBe(false);
  expect((await finishLandings(after)).settled).toEqual([live.key]);
  nothingIsLeft(shop);
});

it("a git that a killed landing left running has ended before its checkout is put right", async () => {
  const broken = await beginBroken();
  const { shop, after, live } = broken;
  await intend(broken);
  leaveHalf(broken, false, DEAD);
  // It lays out a file when it is asked to end, as late as can be.
  const script = "trap 'echo one > one.txt; exit' TERM; echo up; while :; do sleep 1 & wait $!; done";
  const git = spawn("/bin/sh", ["-c", script], { cwd: shop.repository.path, detached: true });
  onTestFinished(() => void git.kill("SIGKILL"));
  await new Promise((up) => git.stdout.once("data", up));
  const running = join(shop.repository.path, ".planwright/running");
  mkdirSync(running, { recursive: true });
  const note = { child: beganAt(git.pid as number), owner: 1, ownerBegan: "long ago" };
  writeFileSync(join(running, `${git.pid}.json`), JSON.stringify(note));
  expect((await finishLandings(after)).settled).toEqual([live.key]);
  expect(readdirSync(running)).toEqual([]);
  nothingIsLeft(shop);
});

it("a landing is not over while its ref cannot be removed, because its program could still move main", async () => {
  const broken = await beginBroken();
  const { shop, after, live } = broken;
  await intend(broken);
  stubGit(shop, 'case " $* " in *" update-ref "*) exit 128;; esac');
  expect(await finishLandings(after)).toEqual({ settled: [], failed: [live.key] });
  vi.unstubAllEnvs();
  expect(hasEnded((await shop.attempts()).at(-1)?.state ?? "accepted")).toBe(false);
  expect(notices(broken)).toEqual([expect.stringContaining(landingRef(live.key))]);
  expect((await finishLandings(after)).settled).toEqual([live.key]);
  nothingIsLeft(shop);
});

it("the lock of a landing that was killed before it began to move does not keep an earlier one half moved", async () => {
  const broken = await beginBroken();
  const { shop, before, after, live, merging } = broken;
  await intend(broken);
  const note = join(shop.repository.path, ".git/planwright-landing-half");
  writeFileSync(note, `planwright: ${live.key}\n${merging.from} ${merging.commit}\n`);
  leaveHalf(broken, true, { owner: "ATT-99999", ...DEAD });
  await endLanding(before, live.key, { state: "released", note: "git was killed", patch: { merged: null } });
  await reconcile(after, new Set());
  nothingIsLeft(shop);
  expect(existsSync(note)).toBe(false);
});
