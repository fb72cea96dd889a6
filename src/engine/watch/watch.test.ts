// A worker without a sandbox beside others, on a real plan in a real repository.

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { gitIn } from "../../../test/git-repository.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { LOG_HEAD } from "../../machine/git/log-head.js";
import { moveRefs } from "../../machine/git/refs.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import { keepWork } from "../ending/end-attempt.js";
import { endLanding } from "../landing/land-attempt.js";
import { workerName } from "./our-ref-moves.js";
import { outsideSnapshots } from "./snapshot.js";
import { watchOutside } from "./watch.js";

const FEATURE = "refs/heads/planwright/feature/FEAT-A";
const DAY_MS = 86_400_000;
const LANDER = { kind: "shell", name: "landing", model: null } as const;
const WATCHED = { key: "ATT-00007", files: ["one.txt"] };

/** A commit on top of main that says which attempt made it. */
function commitOf(shop: Shop, attempt: string): string {
  const message = `T-one: Make one\n\nPlanwright-Attempt: ${attempt}`;
  return shop.git("commit-tree", "-p", "main", "-m", message, "main^{tree}");
}

/** What is said of a ref that was put back at once. */
const putBack = (sentence: string): string =>
  expect.stringMatching(
    new RegExp(`^${sentence.replaceAll(/[.*/]/g, String.raw`\$&`)} It (is back at \\w{12}|was removed again)\\.$`),
  ) as string;

describe("beside a worker without a sandbox", () => {
  async function watched(): Promise<{ shop: Shop; worktree: string; found: () => Promise<string[]> }> {
    const shop = await openShop([fileTask("one")]);
    const worktree = join(shop.repository.around, "slot-1");
    shop.git("worktree", "add", "-q", "-b", "planwright/attempt/ATT-00007", worktree);
    shop.git("update-ref", FEATURE, "main");
    return { shop, worktree, found: await watchOutside(shop.services, WATCHED, worktree) };
  }

  it("others integrate what they proved", async () => {
    const { shop, found } = await watched();
    const merged = commitOf(shop, "ATT-00001");
    expect(await leaveAttempt(shop.plan, "T-one", { state: "accepted", merged })).toBe("ATT-00001");
    shop.git("update-ref", FEATURE, merged);
    expect(await found()).toEqual([]);
  });

  it("others begin features, land them, and keep work", async () => {
    const { shop, found } = await watched();
    await leaveAttempt(shop.plan, "T-one", { state: "lost" });
    shop.git("update-ref", "refs/heads/planwright/feature/FEAT-B", "main");
    shop.git("update-ref", "-d", FEATURE);
    shop.git("update-ref", "refs/planwright/kept/ATT-00001", commitOf(shop, "ATT-00001"));
    expect(await found()).toEqual([]);
  });

  it("kept work goes when its time is over, and not before", async () => {
    const { shop, worktree } = await watched();
    const keep = async (): Promise<() => Promise<string[]>> => {
      shop.git("update-ref", "refs/planwright/kept/ATT-00001", "main");
      return watchOutside(shop.services, WATCHED, worktree);
    };
    await leaveAttempt(shop.plan, "T-one", { kept: "refs/planwright/kept/ATT-00001" });
    let found = await keep();
    shop.git("update-ref", "-d", "refs/planwright/kept/ATT-00001");
    expect(await found()).toEqual([putBack("The worker deleted refs/planwright/kept/ATT-00001.")]);
    found = await keep();
    shop.plan.pass(31 * DAY_MS);
    shop.git("update-ref", "-d", "refs/planwright/kept/ATT-00001");
    expect(await found()).toEqual([]);
  });

  it.each([
    ["a commit that nobody wrote down", "ATT-00001"],
    ["a commit that says it is its own", "ATT-00007"],
    ["a commit that says nothing", ""],
  ])("a feature's branch does not move to %s", async (_, attempt) => {
    const { shop, found } = await watched();
    await leaveAttempt(shop.plan, "T-one", { state: "accepted", merged: "0".repeat(40) });
    const commit = commitOf(shop, attempt);
    shop.git("update-ref", FEATURE, commit);
    expect(await found()).toEqual([putBack(`The worker moved ${FEATURE} to ${commit}.`)]);
    // It is said once.
    expect(await found()).toEqual([]);
  });

  it("a feature's branch does not go with work on it that has not landed", async () => {
    const { shop, worktree } = await watched();
    shop.git("update-ref", FEATURE, commitOf(shop, "ATT-00001"));
    const found = await watchOutside(shop.services, WATCHED, worktree);
    shop.git("update-ref", "-d", FEATURE);
    expect(await found()).toEqual([putBack(`The worker deleted ${FEATURE}.`)]);
  });

  it("its own branch and its own commits are its own, and nobody else's", async () => {
    const { shop, worktree } = await watched();
    shop.git("branch", "theirs");
    const found = await watchOutside(shop.services, WATCHED, worktree);
    gitIn(worktree, "commit", "-q", "--allow-empty", "-m", "mine");
    expect(await found()).toEqual([]);
    gitIn(worktree, "checkout", "-q", "-b", "own");
    expect(await found()).toEqual([]);
    gitIn(worktree, "commit", "-q", "--allow-empty", "-m", "mine too");
    expect(await found()).toEqual([]);
    gitIn(worktree, "commit", "-q", "--allow-empty", "-m", "mine as well");
    gitIn(worktree, "branch", "planwright/attempt/ATT-00008");
    expect(await found()).toEqual([expect.stringMatching(/^The worker moved .*ATT-00008 to/)]);
    gitIn(worktree, "commit", "-q", "--allow-empty", "-m", "mine again");
    gitIn(worktree, "branch", "-f", "theirs");
    expect(await found()).toEqual([expect.stringMatching(/^The worker moved refs\/heads\/theirs to/)]);
  });

  it("the branch of another attempt goes when it is merged, kept or over, and not before", async () => {
    const { shop, worktree } = await watched();
    const removed = async (fields: Partial<Attempt>, keeps = false): Promise<string[]> => {
      const key = await leaveAttempt(shop.plan, "T-one", { state: "working", ...fields });
      const branch = `refs/heads/planwright/attempt/${key}`;
      const commit = commitOf(shop, key);
      shop.git("update-ref", branch, commit);
      const found = await watchOutside(shop.services, WATCHED, worktree);
      if (keeps) shop.git("update-ref", `refs/planwright/kept/${key}`, commit);
      shop.git("update-ref", "-d", branch);
      return found();
    };
    expect(await removed({ state: "integrating", merged: "0".repeat(40) })).toEqual([]);
    expect(await removed({ state: "failed" })).toEqual([]);
    expect(await removed({}, true)).toEqual([]);
    expect(await removed({})).toEqual([putBack("The worker deleted refs/heads/planwright/attempt/ATT-00004.")]);
    const [trailer, branch] = ["%(trailers:key=Planwright-Attempt,valueonly)", "planwright/attempt/ATT-00004"];
    expect(shop.git("log", "-1", `--format=${trailer}`, branch).trim()).toBe("ATT-00004");
  });

  it("the branch of another attempt goes before that ends if we noted it, and a worker cannot remove it without work", async () => {
    const { shop, worktree } = await watched();
    const main = shop.git("rev-parse", "main").trim();
    const removed = async (rest: Partial<Attempt>, commit = main): Promise<string[]> => {
      const key = await leaveAttempt(shop.plan, "T-one", { state: "working", base: main, ...rest });
      const branch = `refs/heads/planwright/attempt/${key}`;
      shop.git("update-ref", branch, commit);
      const found = await watchOutside(shop.services, WATCHED, worktree);
      shop.git("update-ref", "-d", branch);
      return found();
    };
    expect(await removed({ letGo: main })).toEqual([]);
    expect(await removed({ letGo: main, base: null })).toEqual([]);
    const said = (key: string): string[] => [putBack(`The worker deleted refs/heads/planwright/attempt/${key}.`)];
    expect(await removed({})).toEqual(said("ATT-00003"));
    expect(await removed({ base: null })).toEqual(said("ATT-00004"));
    expect(await removed({ letGo: main }, commitOf(shop, "ATT-00005"))).toEqual(said("ATT-00005"));
  });

  it("another program notes the removal of a branch without work before the branch goes", async () => {
    const { shop, worktree } = await watched();
    const main = shop.git("rev-parse", "main").trim();
    const key = await leaveAttempt(shop.plan, "T-one", { state: "working", base: main, branch: "x" });
    const branch = `refs/heads/planwright/attempt/${key}`;
    shop.git("update-ref", branch, main);
    const found = await watchOutside(shop.services, WATCHED, worktree);
    // A lock on the branch stops the program between the note and the removal.
    const lock = join(shop.repository.path, ".git", `${branch}.lock`);
    writeFileSync(lock, "");
    const look = async (): Promise<Attempt> =>
      (await shop.plan.store.read((reader) => reader.item("attempt", key)))?.fields as Attempt;
    const removal = keepWork(shop.services.context, key, look);
    await expect.poll(async () => (await look()).letGo).toBe(main);
    expect(shop.git("rev-parse", branch)).toBe(main);
    rmSync(lock);
    expect(await removal).toBeNull();
    expect(await found()).toEqual([]);
  });

  it("this very program removes the branch of another attempt before that ends", async () => {
    const { shop, worktree } = await watched();
    const key = await leaveAttempt(shop.plan, "T-one", { state: "working" });
    const ref = `refs/heads/planwright/attempt/${key}`;
    const from = commitOf(shop, key);
    shop.git("update-ref", ref, from);
    const found = await watchOutside(shop.services, WATCHED, worktree);
    expect(await moveRefs(shop.plan.root, [{ ref, from, to: null }])).toEqual({ ok: true });
    expect(await found()).toEqual([]);
  });

  it("other workers commit on their own branches, and on nobody else's", async () => {
    const { shop, worktree } = await watched();
    const other = join(shop.repository.around, "slot-2");
    shop.git("worktree", "add", "-q", "-b", "planwright/attempt/ATT-00008", other);
    const found = await watchOutside(shop.services, WATCHED, worktree);
    const commitAs = (key: string): void => {
      const env = { ...process.env, GIT_COMMITTER_NAME: workerName(key) };
      const person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
      execFileSync("git", [...person, "commit", "-q", "--allow-empty", "-m", `by ${key}`], { cwd: other, env });
      expect(gitIn(other, "log", "-1", "--format=%cn").trim()).toBe(workerName(key));
    };
    commitAs("ATT-00008");
    commitAs("ATT-00008");
    expect(await found()).toEqual([]);
    commitAs("ATT-00007");
    expect(await found()).toEqual([expect.stringMatching(/^The worker moved .*ATT-00008 to \w+\. It is back at/)]);
  });

  it("the note of the log's end moves, even if git fails in the middle of the look", async () => {
    const { shop, found } = await watched();
    const { store } = shop.plan;
    const end = await store.read((reader) => reader.link());
    if (!end) throw new Error("The plan has no log.");
    const note = execFileSync("git", ["hash-object", "-w", "--stdin"], {
      cwd: shop.repository.path,
      input: `${end.op} ${end.link}\n`,
    });
    shop.git("update-ref", LOG_HEAD, note.toString().trim());
    const broken = join(shop.repository.around, "broken-git");
    mkdirSync(broken);
    const script = `#!/bin/sh\ncase "$*" in *cat-file*) mkdir "${broken}/failed" 2>/dev/null && exit 128;; esac\nPATH="${process.env["PATH"]}" exec git "$@"\n`;
    writeFileSync(join(broken, "git"), script, { mode: 0o755 });
    vi.stubEnv("PATH", `${broken}:${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await found()).toEqual([]);
    expect(readdirSync(broken)).toContain("failed");
  });

  it.each(["no object", "a commit", "a text that is no note"])("the log's end never becomes %s", async (what) => {
    const { shop, found } = await watched();
    const cwd = shop.repository.path;
    const hash = ["hash-object", "-w", "--stdin"];
    const text = () => execFileSync("git", hash, { cwd, input: "5 forged\n", encoding: "utf8" });
    const forged = { "no object": () => "1".repeat(40), "a commit": () => shop.git("rev-parse", "HEAD") }[what] ?? text;
    const file = join(cwd, ".git", LOG_HEAD);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${forged().trim()}\n`);
    expect(await found()).toEqual([expect.stringMatching(/^The worker \w+ refs\/planwright\/log/)]);
  });

  it("landings come and go under their own refs, and nobody else's", async () => {
    const { shop, found } = await watched();
    const key = await leaveAttempt(shop.plan, "T-one", { state: "integrating", worker: LANDER });
    shop.git("update-ref", `refs/planwright/landing/${key}`, commitOf(shop, ""));
    expect(await found()).toEqual([]);
    shop.git("update-ref", "-d", `refs/planwright/landing/${key}`);
    expect(await found()).toEqual([]);
    shop.git("update-ref", "refs/planwright/landing/ATT-00002", "main");
    expect(await found()).toEqual([expect.stringMatching(/^The worker moved refs\/planwright\/landing/)]);
  });

  it("a feature's branch follows main, and gets what has landed, but nothing that nobody knows", async () => {
    const { shop, found } = await watched();
    shop.git("commit", "-q", "--allow-empty", "-m", "landed");
    shop.git("update-ref", FEATURE, "main");
    expect(await found()).toEqual([]);
    const merged = commitOf(shop, "ATT-00001");
    await leaveAttempt(shop.plan, "T-one", { state: "accepted", merged });
    writeFileSync(join(shop.repository.path, "landed.txt"), "landed\n");
    shop.git("add", "landed.txt");
    shop.git("commit", "-q", "-m", "landed too");
    const both = (tree: string): string => shop.git("commit-tree", "-p", merged, "-p", "main", "-m", "both", tree);
    shop.git("update-ref", FEATURE, both("main^{tree}"));
    expect(await found()).toEqual([]);
    const evil = both(`${merged}^{tree}`);
    shop.git("update-ref", FEATURE, evil);
    expect(await found()).toEqual([putBack(`The worker moved ${FEATURE} to ${evil}.`)]);
  });

  it("what a person accepted is no longer kept once it is merged", async () => {
    const { shop, worktree } = await watched();
    const kept = "refs/planwright/kept/ATT-00001";
    await leaveAttempt(shop.plan, "T-one", { state: "pending", kept, merged: commitOf(shop, "ATT-00001") });
    shop.git("update-ref", kept, "main");
    const found = await watchOutside(shop.services, WATCHED, worktree);
    shop.git("update-ref", "-d", kept);
    expect(await found()).toEqual([]);
  });

  it("a landing in the middle of its move is waited for", async () => {
    const { shop, found } = await watched();
    const file = join(shop.repository.path, "one.txt");
    const key = await leaveAttempt(shop.plan, "T-one", { state: "integrating", worker: LANDER });
    writeFileSync(file, "about to be on main\n");
    const looking = found();
    // It is settled only after its files are what the branch has.
    const { store } = shop.plan;
    const read = store.read.bind(store);
    let looks = 0;
    Object.assign(store, {
      read: async (work: Parameters<typeof read>[0]) => {
        if (++looks === 3) {
          rmSync(file);
          await endLanding(shop.services, key, { state: "lost", note: "taken back" });
        }
        return read(work);
      },
    });
    expect(await looking).toEqual([]);
    expect(looks).toBeGreaterThan(2);
    writeFileSync(file, "by the worker\n");
    expect(await found()).toEqual(["The worker changed one.txt in the main checkout."]);
  });

  it("changes of a person that were wiped away are missed, and those that were committed are not", async () => {
    const { shop, worktree } = await watched();
    const { path } = shop.repository;
    shop.repository.commit({ "one.txt": "1\n", "two.txt": "1\n" });
    const edit = (): void => {
      for (const name of ["one.txt", "two.txt"]) writeFileSync(join(path, name), "a person's work\n");
    };
    edit();
    let found = await watchOutside(shop.services, WATCHED, worktree);
    shop.git("checkout", "-q", ".");
    expect(await found()).toEqual(["The worker changed one.txt in the main checkout."]);
    expect(shop.events.at(-1)).toMatchObject({ text: expect.stringContaining("main checkout: two.txt.") });
    edit();
    found = await watchOutside(shop.services, WATCHED, worktree);
    const said = shop.events.length;
    shop.git("commit", "-q", "-a", "-m", "a person's work");
    expect([await found(), shop.events.length]).toEqual([[], said]);
  });

  it("where a branch goes may be written down, and nothing else with it", async () => {
    const { shop, found } = await watched();
    const config = join(shop.repository.path, ".git/config");
    appendFileSync(config, '[branch "x"]\n\tremote = origin\n\tmerge = refs/heads/x\n');
    expect(await found()).toEqual([]);
    const changed = ["The worker changed .git/config."];
    appendFileSync(config, '[branch "y"]\n\tremote = origin\n\t[core]\n\tfsmonitor = evil\n');
    expect(await found()).toEqual(changed);
    appendFileSync(config, '[branch "z"] remote = x\n  [alias] st = !id\n');
    expect(await found()).toEqual(changed);
    appendFileSync(config, '[core]\n\tx = \\\n[branch "z"]\n');
    expect(await found()).toEqual(changed);
    appendFileSync(config, "\tfsmonitor = evil\n");
    expect(await found()).toEqual(changed);
  });

  it.each<[string, (git: string) => void]>([
    ["config.worktree", (git) => void execFileSync("mkfifo", [join(git, "config.worktree")])],
    ["info/grafts", (git) => mkdirSync(join(git, "info/grafts"))],
    ["hooks/loop", (git) => symlinkSync("loop", join(git, "hooks/loop"))],
    [
      "hooks/",
      (git) => {
        rmSync(join(git, "hooks"), { recursive: true });
        writeFileSync(join(git, "hooks"), "");
      },
    ],
  ])("what makes .git/%s unreadable is seen", async (name, put) => {
    const { shop } = await watched();
    const git = join(shop.repository.path, ".git");
    mkdirSync(join(git, "hooks"), { recursive: true });
    mkdirSync(join(git, "info"), { recursive: true });
    for (const file of readdirSync(join(git, "hooks"))) rmSync(join(git, "hooks", file));
    const found = await watchOutside(shop.services, WATCHED, join(shop.repository.around, "slot-1"));
    put(git);
    expect(await found()).toEqual([`The worker changed .git/${name}.`]);
  });

  it("a pipe that a worker puts into the main checkout hides nothing", async () => {
    const { shop, found } = await watched();
    const { path } = shop.repository;
    execFileSync("mkfifo", [join(path, "pipe"), join(path, ".gitattributes")]);
    writeFileSync(join(path, "one.txt"), "there");
    expect(await found()).toEqual(["The worker put a pipe into the main checkout: .gitattributes. Remove it."]);
    expect(await found()).toEqual([]);
    rmSync(join(path, ".gitattributes"));
    expect(await found()).toEqual(["The worker changed one.txt in the main checkout."]);
  });

  it("a pipe that was there before keeps only the main checkout from being seen, and that is said once", async () => {
    const { shop, worktree } = await watched();
    const { path } = shop.repository;
    execFileSync("mkfifo", [join(path, ".gitattributes")]);
    const found = await watchOutside(shop.services, WATCHED, worktree);
    await watchOutside(shop.services, WATCHED, worktree);
    expect(shop.events.filter(({ type }) => type === "notice")).toEqual([
      {
        type: "notice",
        text: "Planwright cannot see what workers change in the main checkout. .gitattributes is a pipe or a device, and git would wait for it. Remove it.",
      },
    ]);
    expect(outsideSnapshots.load(WATCHED.key, { worktree })?.before).toMatchObject({
      dirty: null,
      pipes: [".gitattributes"],
    });
    const stray = commitOf(shop, "ATT-00009");
    shop.git("update-ref", FEATURE, stray);
    expect(await found()).toEqual([putBack(`The worker moved ${FEATURE} to ${stray}.`)]);
    rmSync(join(path, ".gitattributes"));
    expect(await found()).toEqual([]);
    writeFileSync(join(path, "one.txt"), "there");
    expect(await found()).toEqual(["The worker changed one.txt in the main checkout."]);
  });

  it("a folder of branches that is a link is seen through", async () => {
    const { shop, found } = await watched();
    const refs = join(shop.repository.path, ".git/refs");
    mkdirSync(join(refs, "aside"));
    symlinkSync("aside", join(refs, "linked"));
    expect(await found()).toEqual([]);
  });

  it("a feature's branch that another program moved is not put back", async () => {
    const { shop, worktree } = await watched();
    const root = shop.repository.path;
    const feature = `${FEATURE}-2`;
    const main = shop.git("rev-parse", "main");
    expect(await moveRefs(root, [{ ref: feature, from: null, to: main }])).toEqual({ ok: true });
    const done = commitOf(shop, "ATT-00001");
    shop.git("update-ref", feature, done);
    const found = await watchOutside(shop.services, WATCHED, worktree);
    shop.git("update-ref", feature, main);
    expect(await found()).toEqual([putBack(`The worker moved ${feature} to ${main}.`)]);
  });

  it("the snapshot holds no secrets, and only its owner can read it", async () => {
    const { shop, worktree } = await watched();
    shop.git("config", "http.extraheader", "Authorization: secret");
    writeFileSync(`${worktree}.watch.json`, "of another", { mode: 0o644 });
    await watchOutside(shop.services, WATCHED, worktree);
    expect(readFileSync(`${worktree}.watch.json`, "utf8")).not.toContain("secret");
    expect(statSync(`${worktree}.watch.json`).mode & 0o777).toBe(0o600);
  });

  it.each([
    "",
    "null",
    "7",
    '{"key":"ATT-00007"}',
    '{"key":"ATT-00007","paths":{},"before":{}}',
    '{"key":"ATT-00007","paths":{"root":"/","commonDir":"/","gitDir":"/","checkout":null},"before":{"refs":[7]}}',
    '{"key":"ATT-00007","paths":{"root":7},"before":{"refs":[],"files":[],"commits":[],"dirty":[]}}',
  ])("ignores a snapshot that was overwritten: %s", async (text) => {
    const { shop, worktree } = await watched();
    await leaveAttempt(shop.plan, "T-one", { worktree });
    const attempt = (await shop.attempts())[0] as Attempt;
    expect(outsideSnapshots.load("ATT-00007", attempt)).toMatchObject({ key: "ATT-00007" });
    expect(outsideSnapshots.load("ATT-00008", attempt)).toBeUndefined();
    writeFileSync(`${worktree}.watch.json`, text);
    expect(outsideSnapshots.load("ATT-00007", attempt)).toBeUndefined();
  });
});
