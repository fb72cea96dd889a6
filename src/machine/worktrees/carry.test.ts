// Worktrees of real repositories that get what git does not keep.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitIn, makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { step } from "../../model/next-step.js";
import type { Wrap } from "../process/start.js";
import { type CarrySettings, missingPackages, setUpWorktree, setupLog, type WorktreeSetupResult } from "./carry.js";

const unconfined: Wrap = (command, args) => ({ command, args });

const LOCK = "package-lock.json";

interface Tree extends TestRepository {
  readonly worktree: string;
  /** What the set-up commands have run so far. */
  readonly ran: () => string[];
  readonly use: (policy?: Partial<CarrySettings>) => Promise<WorktreeSetupResult>;
}

const asItIs = (text: string): string => text;

/** A main checkout with an ignored node_modules, and a worktree of it. */
function makeTree(files: Readonly<Record<string, string>> = {}): Tree {
  const repository = makeRepository({ ".gitignore": "node_modules/\n.env\n", [LOCK]: "1", ...files });
  write(repository.path, { "node_modules/left/index.js": "left", "node_modules/@a/b/index.js": "b", ".env": "A=1" });
  const worktree = join(repository.around, "slot-1");
  repository.git("worktree", "add", "-q", "--detach", worktree);
  const log = join(repository.around, "ran");
  const env = { PATH: process.env["PATH"] ?? "", RAN: log };
  const use = async (policy: Partial<CarrySettings> = {}): Promise<WorktreeSetupResult> => {
    const settings = { carry: ["node_modules"], carryBy: "copy", setup: [], ...policy } as const;
    const result = await setUpWorktree({
      root: repository.path,
      worktree,
      policy: settings,
      env,
      wrap: unconfined,
      redact: asItIs,
    });
    if (!result.ok) throw new Error(result.error.message);
    return result.value;
  };
  const ran = (): string[] => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  return { ...repository, worktree, use, ran };
}

const SETUP = ['echo "$0 ran" >> "$RAN"'];
const NOTHING: WorktreeSetupResult = { refreshed: [], ranSetup: false, notices: [] };

describe("a worktree is made usable", () => {
  it("with a copy: a change here is none there, and git sees none of it", async () => {
    const { worktree, path, use } = makeTree();
    expect(await use({ carry: ["node_modules", ".env", "no/such"] })).toMatchObject({
      refreshed: ["node_modules", ".env", "no/such"],
    });
    const file = "node_modules/left/index.js";
    expect(readFileSync(join(worktree, file), "utf8")).toBe("left");
    expect(readFileSync(join(worktree, ".env"), "utf8")).toBe("A=1");
    writeFileSync(join(worktree, file), "changed");
    expect(readFileSync(join(path, file), "utf8")).toBe("left");
    expect(gitIn(worktree, "status", "--porcelain")).toBe("");
  });

  it("with links: removing what is here removes nothing there, and git sees none of it", async () => {
    const { worktree, path, use } = makeTree();
    await use({ carry: ["node_modules", ".env"], carryBy: "link" });
    expect(lstatSync(join(worktree, "node_modules")).isDirectory()).toBe(true);
    expect(lstatSync(join(worktree, "node_modules/left")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(worktree, "node_modules/@a/b/index.js"), "utf8")).toBe("b");
    expect(gitIn(worktree, "status", "--porcelain")).toBe("");
    rmSync(join(worktree, "node_modules"), { recursive: true });
    expect(readdirSync(join(path, "node_modules"))).toEqual(["@a", "left"]);
  });

  it("from a main checkout whose own is a link", async () => {
    const { worktree, path, around, use } = makeTree();
    rmSync(join(path, "node_modules"), { recursive: true });
    write(around, { "store/right/index.js": "right" });
    symlinkSync(join(around, "store"), join(path, "node_modules"));
    await use();
    expect(lstatSync(join(worktree, "node_modules")).isSymbolicLink()).toBe(false);
    expect(readdirSync(join(worktree, "node_modules"))).toEqual(["right"]);
  });

  it("without a word about what neither has", async () => {
    const { use } = makeTree();
    expect((await use({ carry: ["vendor", "no/such"] })).notices).toEqual([]);
  });

  it("once: the second time there is nothing to do", async () => {
    const { use, ran, worktree } = makeTree();
    expect(await use({ setup: SETUP })).toMatchObject({ refreshed: ["node_modules"], ranSetup: true });
    // A cache is no package.
    write(worktree, { "node_modules/.cache/x": "" });
    expect(await use({ setup: SETUP })).toEqual(NOTHING);
    expect(ran()).toHaveLength(1);
  });

  it.each([
    ["the lock file", ({ worktree }: Tree) => write(worktree, { [LOCK]: "2" })],
    ["the manifest", ({ worktree }: Tree) => write(worktree, { "package.json": "{}" })],
    ["a script that the command names", ({ worktree }: Tree) => write(worktree, { "tools/install.sh": "true" })],
    ["a package, by a worker", ({ worktree }: Tree) => write(worktree, { "node_modules/new/index.js": "" })],
    ["a package in a scope", ({ worktree }: Tree) => write(worktree, { "node_modules/@a/new/index.js": "" })],
    [
      "what the package manager noted",
      ({ worktree }: Tree) => write(worktree, { "node_modules/.package-lock.json": "x" }),
    ],
    ["all of it", ({ worktree }: Tree) => rmSync(join(worktree, "node_modules"), { recursive: true })],
  ])("again when somebody changed %s", async (_, change) => {
    const tree = makeTree();
    const setup = [...SETUP, "sh ./tools/install.sh || true"];
    await tree.use({ setup });
    change(tree);
    expect(await tree.use({ setup })).toMatchObject({ ranSetup: true });
    expect(tree.ran()).toHaveLength(2);
    expect(existsSync(join(tree.worktree, "node_modules/new"))).toBe(false);
    expect(existsSync(join(tree.worktree, "node_modules/left"))).toBe(true);
    expect(await tree.use({ setup })).toEqual(NOTHING);
  });

  it("again when the commands are others, or the way of carrying is", async () => {
    const { use, ran } = makeTree();
    await use({ setup: SETUP });
    expect(await use({ setup: [...SETUP, "true"] })).toMatchObject({ refreshed: [], ranSetup: true });
    expect(await use({ setup: [...SETUP, "true"], carryBy: "link" })).toMatchObject({ refreshed: ["node_modules"] });
    expect(ran()).toHaveLength(3);
  });

  it("again when the main checkout has it at last, or another file", async () => {
    const { use, path, worktree } = makeTree();
    rmSync(join(path, "node_modules"), { recursive: true });
    const policy = { carry: ["node_modules", ".env"] };
    await use(policy);
    expect(existsSync(join(worktree, "node_modules"))).toBe(false);
    write(path, { "node_modules/late/index.js": "", ".env": "A=2" });
    expect(await use(policy)).toMatchObject({ refreshed: ["node_modules", ".env"] });
    expect(readdirSync(join(worktree, "node_modules"))).toEqual(["late"]);
    expect(readFileSync(join(worktree, ".env"), "utf8")).toBe("A=2");
  });

  it("never by links when set-up commands are about to change it", async () => {
    const { use, worktree, path } = makeTree();
    write(worktree, { [LOCK]: "2" });
    await use({ carryBy: "link", setup: ["echo new > node_modules/left/index.js"] });
    expect(readFileSync(join(worktree, "node_modules/left/index.js"), "utf8")).toBe("new\n");
    expect(readFileSync(join(path, "node_modules/left/index.js"), "utf8")).toBe("left");
  });

  it("with a word about a lock file that nobody installs", async () => {
    const { use, worktree } = makeTree();
    write(worktree, { [LOCK]: "2" });
    const { notices } = await use();
    expect(notices).toEqual([expect.stringMatching(/lock file for node_modules .*execution\.setup/)]);
  });

  it("with a word about packages that neither tree has, and how to get them", async () => {
    const { use, worktree, path } = makeTree();
    rmSync(join(path, "node_modules"), { recursive: true });
    const lock = JSON.stringify({ packages: { "node_modules/left": {} } });
    write(path, { [LOCK]: lock });
    write(worktree, { [LOCK]: lock });
    const { notices } = await use();
    expect(notices).toEqual([
      'node_modules is missing although the project has package-lock.json, so checks may fail. Run npm ci in the main checkout, or set execution.setup to ["npm ci"].',
    ]);
    expect((await use({ setup: ["true"] })).notices).toEqual([]);
  });

  it.each([
    ["a lock file that names no package", { "package-lock.json": '{"packages":{"":{}}}' }, undefined],
    ["packages that are there", { "yarn.lock": "", "node_modules/x/index.js": "" }, undefined],
    ["plug and play", { "yarn.lock": "", ".pnp.cjs": "" }, undefined],
    ["no virtual environment", { "uv.lock": "" }, "uv sync --frozen"],
    ["nothing installed by pnpm", { "pnpm-lock.yaml": "" }, "pnpm install --frozen-lockfile"],
  ])("%s", (_, files, command) => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-packages-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    write(folder, files);
    expect(missingPackages(folder)?.command).toBe(command);
  });

  it("for a package of a workspace by the lock file above it", async () => {
    const { use, worktree, path } = makeTree();
    write(path, { "packages/a/node_modules/x/index.js": "x" });
    const policy = { carry: ["packages/a/node_modules"] };
    await use(policy);
    expect(existsSync(join(worktree, "packages/a/node_modules/x"))).toBe(true);
    expect(await use(policy)).toEqual(NOTHING);
    write(worktree, { [LOCK]: "2" });
    expect(await use(policy)).toMatchObject({ refreshed: policy.carry });
  });
});

describe("nothing is carried", () => {
  it.each([
    ["out of the worktree", "../escaped", /not a path inside/],
    ["to an absolute path", "/tmp/planwright-escaped", /not a path inside/],
    ["over the repository", ".git", /not a path inside/],
    ["over the plan", ".planwright/plan.db", /not a path inside/],
    ["over everything", ".", /not a path inside/],
    ["that has no name", "", /not a path inside/],
    ["that is no path", "a\0b", /not a path inside/],
    ["that git would take for work", "src", /not ignored/],
    ["over tracked files", "vendor", /not ignored/],
    ["through a link that leads out", "way/node_modules", /not a path inside/],
  ])("%s: %j", async (_, path, why) => {
    const tree = makeTree({ "vendor/kept.txt": "kept" });
    write(tree.path, { "src/new.ts": "", "way/node_modules/x": "" });
    write(tree.around, { "escaped/x": "kept" });
    mkdirSync(join(tree.around, "out"));
    symlinkSync(join(tree.around, "out"), join(tree.worktree, "way"));
    const { notices } = await tree.use({ carry: [path] });
    expect(notices).toEqual([expect.stringMatching(why)]);
    expect(readFileSync(join(tree.worktree, "vendor/kept.txt"), "utf8")).toBe("kept");
    expect(existsSync(join(tree.worktree, "src"))).toBe(false);
    expect(readdirSync(join(tree.around, "out"))).toEqual([]);
    expect(existsSync(join(tree.around, "escaped/x"))).toBe(true);
  });
});

describe("a set-up command", () => {
  it("that fails says so, with its output kept, and runs again the next time", async () => {
    const { path: root, worktree, around } = makeTree();
    const env = { PATH: process.env["PATH"] ?? "" };
    const policy = {
      carry: [],
      carryBy: "copy",
      setup: ["echo first", `test -e ${around}/fixed`, "echo last"],
    } as const;
    const failed = await setUpWorktree({ root, worktree, policy, env, wrap: unconfined, redact: asItIs });
    expect(failed).toMatchObject({
      ok: false,
      error: {
        reason: "setup-failed",
        message: expect.stringMatching(new RegExp(`fixed" failed .*exit 1.*${setupLog(worktree)}`)),
        next: [step("config.get", { key: "execution.setup" })],
      },
    });
    expect(readFileSync(setupLog(worktree), "utf8")).toBe(`$ echo first\nfirst\n\n$ test -e ${around}/fixed\n\n`);
    writeFileSync(join(around, "fixed"), "");
    expect(await setUpWorktree({ root, worktree, policy, env, wrap: unconfined, redact: asItIs })).toMatchObject({
      ok: true,
      value: { ranSetup: true },
    });
    expect(readFileSync(setupLog(worktree), "utf8")).toContain("last");
  });

  it("has secrets taken out of what is kept of its output", async () => {
    const { path: root, worktree } = makeTree();
    const policy = { carry: [], carryBy: "copy", setup: ["echo the token is hunter2; exit 1"] } as const;
    const redact = (text: string): string => text.replaceAll("hunter2", "[redacted]");
    const env = { PATH: process.env["PATH"] ?? "" };
    const failed = await setUpWorktree({ root, worktree, policy, env, wrap: unconfined, redact });
    expect(failed).toMatchObject({ ok: false, error: { details: { output: "the token is [redacted]\n" } } });
    expect(readFileSync(setupLog(worktree), "utf8")).toContain("\nthe token is [redacted]\n");
  });

  it("sees the environment that it is given, and nothing else", async () => {
    const { path: root, worktree } = makeTree();
    const policy = { carry: [], carryBy: "copy", setup: ["env"] } as const;
    await setUpWorktree({
      root,
      worktree,
      policy,
      wrap: unconfined,
      redact: asItIs,
      env: { PATH: process.env["PATH"] ?? "", GIVEN: "yes" },
    });
    const said = readFileSync(setupLog(worktree), "utf8");
    expect(said).toContain("GIVEN=yes");
    expect(said).not.toContain("HOME=");
  });

  it("that nobody waits for any more is ended", async () => {
    const { path: root, worktree } = makeTree();
    const policy = { carry: [], carryBy: "copy", setup: ["sleep 60"] } as const;
    const canceled = await setUpWorktree({
      root,
      worktree,
      policy,
      env: { PATH: process.env["PATH"] ?? "" },
      wrap: unconfined,
      redact: asItIs,
      signal: AbortSignal.abort(),
    });
    expect(canceled).toMatchObject({ ok: false, error: { reason: "cancelled" } });
  });
});
