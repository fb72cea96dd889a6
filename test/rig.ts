// A workspace in a temporary folder and the built program to run in it.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { unsandboxedFile, workspaceName, worktreesFolder, writeOwnFile } from "../src/config/state-folder.js";
import { settingsHash } from "../src/config/trust.js";
import { notePrinted } from "./printed-commands.js";
import { SECRET } from "./secret.js";

export const BIN = resolve(import.meta.dirname, "../dist/planwright.cjs");

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Nothing of the machine's own settings, and a person called `ada`. */
const ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  XDG_CACHE_HOME: resolve(import.meta.dirname, "../node_modules/.cache"),
  USER: "ada",
  TZ: "UTC",
  PLANWRIGHT_SECRET: SECRET,
  NO_COLOR: "1",
};

/** Tests write settings as a person would, and trust them. */
function trustedHash(root: string): string {
  try {
    return settingsHash(root);
  } catch {
    return "";
  }
}

export class Rig {
  readonly root: string;
  /** The user's state folder, where worktrees are. */
  readonly state: string;
  /** The user's configuration folder, where the secret is kept. */
  readonly config: string;

  constructor(parent = tmpdir()) {
    // The mission is called like the folder. Without the last word, a name such as planwright-2x would be found by "T-2".
    this.root = realpathSync(mkdtempSync(join(parent, "planwright-rig-")));
    this.state = `${this.root}.state`;
    this.config = `${this.root}.config`;
    // Where there is no sandbox the person of these tests has allowed that.
    const allowed = unsandboxedFile(this.root, { PLANWRIGHT_CONFIG: this.config }) as string;
    writeOwnFile(allowed, "{}\n");
  }

  /** Where the program makes worktrees. */
  get worktrees(): string {
    return worktreesFolder(this.root, null, { XDG_STATE_HOME: this.state });
  }

  /** Of a person, and of this test's own settings. */
  environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const trust = { PLANWRIGHT_TRUST: trustedHash(this.root) };
    return { ...ENVIRONMENT, XDG_STATE_HOME: this.state, PLANWRIGHT_CONFIG: this.config, ...trust, ...more };
  }

  /** Runs `planwright` and waits for it. */
  run(args: readonly string[], { cwd, input, env }: RunOptions = {}): Outcome {
    const child = spawnSync(process.execPath, [BIN, ...args], {
      cwd: cwd ?? this.root,
      env: this.environment(env),
      input: input ?? "",
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    notePrinted(child.stdout, child.stderr);
    return { code: child.status, stdout: child.stdout, stderr: child.stderr };
  }

  /** Starts `planwright` and answers when it has ended: for several at once. */
  start(args: readonly string[], { cwd, env }: RunOptions = {}): Promise<Outcome> {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: cwd ?? this.root,
      env: this.environment(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    return new Promise((done) =>
      child.on("close", (code) => {
        notePrinted(stdout, stderr);
        done({ code, stdout, stderr });
      }),
    );
  }

  /** Must succeed; the data of its JSON answer. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  ok(args: readonly string[], options: RunOptions = {}): any {
    // An approval without a terminal needs a plain yes; the tests of previews say what they want themselves.
    const yes =
      /^(record )?approve /.test(args.join(" ")) && !args.some((word) => /^--(yes|seen|preview)$/.test(word))
        ? ["--yes"]
        : [];
    const { code, stdout, stderr } = this.run([...args, ...yes, "--json"], options);
    const answer = JSON.parse(stdout || "{}") as { ok?: boolean; data?: unknown };
    if (code !== 0 || !answer.ok)
      throw new Error(`planwright ${args.join(" ")} exited with ${code}: ${stdout}${stderr}`);
    return answer.data;
  }

  /** Must fail; the exit code and the error of its JSON answer. */
  fails(
    args: readonly string[],
    options: RunOptions = {},
  ): {
    code: number | null;
    reason: string;
    message: string;
    details: Record<string, unknown> | null;
    next: readonly { operation: string; input: Record<string, unknown>; who?: string; command?: string }[];
  } {
    const { code, stdout, stderr } = this.run([...args, "--json"], options);
    if (code === 0) throw new Error(`planwright ${args.join(" ")} should have failed: ${stdout}${stderr}`);
    return {
      code,
      ...(JSON.parse(stdout) as { error: { reason: string; message: string; details: null; next: [] } }).error,
    };
  }

  write(path: string, text: string): string {
    const file = join(this.root, path);
    writeFileSync(file, text);
    return file;
  }

  git(...args: string[]): string {
    const child = spawnSync("git", args, {
      cwd: this.root,
      encoding: "utf8",
      env: {
        ...ENVIRONMENT,
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@a",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@a",
      },
    });
    if (child.status !== 0) throw new Error(`git ${args.join(" ")}: ${child.stderr}`);
    return child.stdout.trim();
  }

  /** Becomes what another one is. */
  copy(other: Rig): void {
    for (const folder of ["root", "state", "config"] as const)
      if (existsSync(other[folder])) cpSync(other[folder], this[folder], { recursive: true, preserveTimestamps: true });
    const tools = (rig: Rig): string => join(this.config, "tools", `${workspaceName(rig.root)}.json`);
    if (existsSync(tools(other))) renameSync(tools(other), tools(this));
  }

  remove(): void {
    for (const folder of [this.root, this.state, this.config]) rmSync(folder, { recursive: true, force: true });
  }
}

const templates = new Map<string, Rig>();

/**
 * Prepares a rig, or copies the one that was prepared under the same key: five processes take 0.5 s of the processor, a copy 0.02 s.
 * Nothing in it may depend on where it is.
 */
export function prepareRig(rig: Rig, key: string, prepare: (rig: Rig) => void): void {
  let template = templates.get(key);
  if (template === undefined) {
    template = new Rig(process.env["PLANWRIGHT_TEST_TEMPLATES"]);
    prepare(template);
    templates.set(key, template);
  }
  rig.copy(template);
}

/** A fresh one for a test, removed at its end. */
export function makeRig(): Rig {
  const rig = new Rig();
  onTestFinished(() => rig.remove());
  return rig;
}
