// What an attempt has for itself, seen by real children.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { step } from "../../model/next-step.js";
import { runChecks } from "../checks/run-checks.js";
import { startChild } from "../process/child.js";
import {
  type AttemptEnvironment,
  type AttemptEnvironmentInput,
  attemptEnvironment,
  rangeStartsFor,
  takePorts,
} from "./environment.js";

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-env-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Below those that the system gives to outgoing connections. */
const ports = { from: 24_000 + (process.pid % 60) * 100, each: 3 };

function placeIn(folder: string, rest: Partial<AttemptEnvironmentInput> = {}): AttemptEnvironmentInput {
  const root = join(folder, "root");
  mkdirSync(root, { recursive: true });
  return {
    slot: 1,
    attempt: "ATT-00001",
    task: "TASK-00001",
    root,
    worktree: join(root, ".planwright/worktrees/slot-1"),
    settings: { env: [], ports },
    env: { PATH: process.env["PATH"], HOME: "/home/ada", TMPDIR: folder },
    ...rest,
  };
}

async function made(place: AttemptEnvironmentInput): Promise<AttemptEnvironment> {
  const result = await attemptEnvironment(place);
  if (!result.ok) throw new Error(result.error.message);
  onTestFinished(() => result.value.dispose());
  return result.value;
}

const portsOf = ({ variables }: AttemptEnvironment): number[] => {
  const [first, last] = (variables["PLANWRIGHT_PORTS"] ?? "").split("-").map(Number) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
};

async function listenOn(port: number, host = "127.0.0.1"): Promise<Server> {
  const server = createServer();
  await new Promise<void>((ready, failed) => server.once("error", failed).listen(port, host, ready));
  onTestFinished(() => void server.close());
  return server;
}

describe("the environment of an attempt", () => {
  it("says where it is, who it is, and what it may use", async () => {
    const folder = makeFolder();
    const { variables, tmp, cache, bundle } = await made(placeIn(folder));
    const { PATH, PLANWRIGHT_PORT, PLANWRIGHT_PORTS, ...rest } = variables;
    expect(PATH).toBe(process.env["PATH"]);
    expect(rest).toEqual({
      HOME: "/home/ada",
      TMPDIR: tmp,
      TMP: tmp,
      TEMP: tmp,
      PLANWRIGHT_ACTOR: "agent:ATT-00001",
      PLANWRIGHT_ATTEMPT: "ATT-00001",
      PLANWRIGHT_BUNDLE: bundle,
      PLANWRIGHT_CACHE: cache,
      PLANWRIGHT_TASK: "TASK-00001",
      PLANWRIGHT_TMP: tmp,
      PLANWRIGHT_WORKSPACE: join(folder, "root"),
      PLANWRIGHT_WORKTREE: join(folder, "root/.planwright/worktrees/slot-1"),
    });
    expect(PLANWRIGHT_PORTS).toMatch(new RegExp(`^${PLANWRIGHT_PORT}-\\d+$`));
    expect(existsSync(cache)).toBe(true);
    expect(statSync(tmp).mode & 0o777).toBe(0o700);
  });

  it("holds no secret of ours, unless it is named; a real child tells", async () => {
    const canary = "canary-3f9a";
    const secrets = {
      GITHUB_TOKEN: canary,
      AWS_SECRET_ACCESS_KEY: canary,
      NPM_TOKEN: canary,
      ANTHROPIC_API_KEY: canary,
      SSH_AUTH_SOCK: canary,
      GIT_DIR: canary,
      npm_config__authToken: canary,
    };
    process.env["PLANWRIGHT_TEST_CANARY"] = canary;
    onTestFinished(() => void delete process.env["PLANWRIGHT_TEST_CANARY"]);
    const place = placeIn(makeFolder());
    const env = { ...place.env, ...secrets };
    const seenBy = async (named: readonly string[]): Promise<string[]> => {
      const { variables, dispose } = await made({ ...place, env, settings: { env: named, ports } });
      const lines: string[] = [];
      const child = startChild({
        command: "/bin/sh",
        args: ["-c", "cat /proc/self/environ | tr '\\0' '\\n' || env"],
        cwd: "/",
        env: variables,
        onLine: (line) => void lines.push(line),
      });
      await child.exited;
      await dispose();
      expect(lines.some((line) => line.startsWith("PLANWRIGHT_TASK="))).toBe(true);
      return lines.filter((line) => line.includes(canary)).map((line) => line.split("=")[0] as string);
    };
    expect(await seenBy([])).toEqual([]);
    expect(await seenBy(["NPM_TOKEN"])).toEqual(["NPM_TOKEN"]);
    expect((await seenBy(["AWS_*"])).sort()).toEqual(["AWS_SECRET_ACCESS_KEY"]);
  });

  it("has a temporary folder that is empty at first, and gone afterwards; the cache is empty at first too", async () => {
    const folder = makeFolder();
    const first = await attemptEnvironment(placeIn(folder));
    if (!first.ok) throw new Error(first.error.message);
    // A program that was killed disposes of nothing.
    writeFileSync(join(first.value.tmp, "left"), "");
    writeFileSync(join(first.value.cache, "kept"), "");
    const second = await made(placeIn(folder, { attempt: "ATT-00002" }));
    expect(readdirSync(second.tmp)).toEqual([]);
    expect(existsSync(first.value.tmp)).toBe(false);
    expect(readdirSync(second.cache)).toEqual([]);
    // And one that was only paused does not touch what the next one has.
    await first.value.dispose();
    expect(existsSync(second.tmp)).toBe(true);
    const locked = join(second.tmp, "locked");
    mkdirSync(join(locked, "deeper"), { recursive: true });
    writeFileSync(join(locked, "deeper", "file"), "");
    chmodSync(join(locked, "deeper"), 0o500);
    chmodSync(locked, 0o500);
    await second.dispose();
    expect(readdirSync(folder)).toEqual(["root"]);
    await second.dispose();
  });

  it("does not use a temporary folder that somebody else prepared", async () => {
    const folder = makeFolder();
    const place = placeIn(folder);
    const { tmp, dispose } = await made(place);
    await dispose();
    const theirs = join(folder, "theirs");
    mkdirSync(theirs);
    symlinkSync(theirs, tmp);
    expect(await attemptEnvironment(place)).toMatchObject({
      ok: false,
      error: { reason: "no-tmp", message: expect.stringMatching(new RegExp(`${tmp} .*TMPDIR`)) },
    });
    expect(await attemptEnvironment({ ...place, again: true })).toMatchObject({ error: { reason: "no-tmp" } });
    expect(existsSync(theirs)).toBe(true);
  });

  it("says so where there is no temporary folder at all", async () => {
    const place = placeIn(makeFolder());
    const env = { ...place.env, TMPDIR: "/nowhere" };
    expect(await attemptEnvironment({ ...place, env })).toMatchObject({ ok: false, error: { reason: "no-tmp" } });
  });

  it("is found again, as it was left", async () => {
    const place = placeIn(makeFolder());
    const first = await made(place);
    writeFileSync(first.bundle, "the task");
    const again = await made({ ...place, again: true });
    expect(readFileSync(again.bundle, "utf8")).toBe("the task");
    await again.dispose();
    expect((await made({ ...place, again: true })).tmp).toBe(first.tmp);
  });

  it("belongs to its slot: two at once share nothing, in one workspace or two", async () => {
    const folder = makeFolder();
    const other = { ...placeIn(folder), root: folder };
    const all = [await made(placeIn(folder)), await made(placeIn(folder, { slot: 2 })), await made(other)];
    expect(new Set(all.map(({ tmp }) => tmp)).size).toBe(3);
    expect(new Set(all.map(({ cache }) => cache)).size).toBe(3);
    const used = all.flatMap(portsOf);
    expect(new Set(used).size).toBe(used.length);
  });

  it("comes and goes with others at the same time, and leaves nothing", async () => {
    const folder = makeFolder();
    const place = placeIn(folder);
    const inTurn = async (slot: number): Promise<void> => {
      for (let i = 0; i < 15; i++) {
        const result = await attemptEnvironment({ ...place, slot, attempt: `ATT-${slot}-${i}` });
        if (!result.ok) throw new Error(result.error.message);
        writeFileSync(join(result.value.tmp, "x"), "");
        await result.value.dispose();
      }
    };
    await Promise.all([1, 2, 3, 4, 5].map(inTurn));
    expect(readdirSync(folder)).toEqual(["root"]);
  });

  it("keeps what is hostile in ids and paths out of every shell", async () => {
    const folder = makeFolder();
    const text = fc.stringMatching(/^[\w $`'";&|<>(){}*?~#!\\\n-]{1,20}$/);
    await fc.assert(
      fc.asyncProperty(text, text, async (task, name) => {
        const root = join(folder, `r${name}`);
        mkdirSync(root, { recursive: true });
        const { variables, tmp, dispose } = await made({
          ...placeIn(folder),
          root,
          worktree: root,
          task,
          attempt: task,
        });
        expect(tmp.startsWith(`${folder}/planwright-`)).toBe(true);
        const run = 'printf "%s|%s" "$PLANWRIGHT_TASK" "$PLANWRIGHT_WORKTREE"';
        const [said] = await runChecks([{ run }], { cwd: root, timeoutS: 60, env: variables });
        await dispose();
        expect(said).toMatchObject({ passed: true, output: `${task}|${root}` });
      }),
      { numRuns: 40 },
    );
    expect(readdirSync(folder).every((name) => /^(r|planwright-|root$)/.test(name))).toBe(true);
  });
});

describe("ports", () => {
  it("are disjoint for any two slots, whatever each gets", () => {
    const settings = fc.record({
      from: fc.integer({ min: 1024, max: 65_000 }),
      each: fc.integer({ min: 1, max: 1000 }),
    });
    const slot = fc.integer({ min: 1, max: 80 });
    fc.assert(
      fc.property(settings, slot, slot, (given, a, b) => {
        fc.pre(a !== b);
        const taken = new Set(rangeStartsFor(a, given));
        for (const first of rangeStartsFor(b, given)) {
          expect(taken.has(first)).toBe(false);
          expect((first - given.from) % (given.each + 1)).toBe(0);
          expect(first + given.each).toBeLessThan(65_536);
        }
      }),
    );
  });

  it.each(["127.0.0.1", "0.0.0.0", "::1"])("that somebody uses on %s are passed over", async (host) => {
    const [first, second] = rangeStartsFor(1, ports) as [number, number];
    try {
      await listenOn(first + 1, host);
    } catch {
      // There is no such address here.
      return;
    }
    const range = await takePorts(1, ports);
    onTestFinished(() => range?.release());
    expect(range).toMatchObject({ first: second, last: second + 2 });
  });

  it("are held until they are given back, and then free to listen on", async () => {
    const range = await takePorts(3, ports);
    const other = await takePorts(3, ports);
    expect(other?.first).not.toBe(range?.first);
    const first = range?.first as number;
    const server = await listenOn(first);
    await new Promise((closed) => server.close(closed));
    range?.release();
    other?.release();
    const again = await takePorts(3, ports);
    expect(again?.first).toBe(first);
    again?.release();
  });

  it("run out: that is refused, with what to change", async () => {
    const place = placeIn(makeFolder(), { slot: 2, settings: { env: [], ports: { from: 65_000, each: 500 } } });
    expect(await attemptEnvironment(place)).toMatchObject({
      ok: false,
      error: {
        reason: "no-ports",
        message: expect.stringMatching(/execution\.ports/),
        next: [step("config.set", { key: "execution.ports" }, "value")],
      },
    });
    expect(readdirSync(place.env["TMPDIR"] as string)).toEqual(["root"]);
  });
});
