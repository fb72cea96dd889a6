// Planning agents read a folder of their own. Whatever you do in your checkout while one thinks stands afterwards, and
// whatever an agent writes is thrown away. The scripted agent runs the commands of both.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCRIPTED_AGENT } from "./agents/scripted-agent.js";
import { ANSWERS, SPEC } from "./planning.js";
import { BIN, makeRig, type Rig } from "./rig.js";

const HEADINGS: Readonly<Record<string, string>> = {
  clarifier: "# Your role: clarifier",
  "author capabilities": "# Your role: author, stage capabilities",
  "author files": "# Your role: author, stage files",
  "author tasks": "# Your role: author, stage tasks",
  critic: "# Your role: critic",
  overviewer: "# Your role: overviewer",
};

/** Runs in the folder of the agent. */
const run = (command: string): object => ({ tool: { title: "sh", kind: "execute", run: command } });

/** A file outside of the workspace, for what the agent saw. */
const noteOf = (rig: Rig, name: string): string => {
  mkdirSync(rig.config, { recursive: true });
  return join(rig.config, name);
};

const noted = (rig: Rig, name: string): string[] => readFileSync(noteOf(rig, name), "utf8").trim().split("\n");

/** What roles do before they hand in what they should. */
function scripted(rig: Rig, steps: Readonly<Record<string, readonly object[]>> = {}): void {
  const turns = Object.entries(HEADINGS).map(([topic, when]) => ({
    when,
    steps: [...(steps[topic] ?? []), { submit: ANSWERS[topic] }],
    again: true,
  }));
  writeFileSync(noteOf(rig, "script.json"), JSON.stringify(turns));
}

/** Two agents, because two processes cannot share what they remember. */
const settings = (rig: Rig): object => {
  const agent = (state: string): object => ({
    command: process.execPath,
    args: [SCRIPTED_AGENT, noteOf(rig, "script.json"), noteOf(rig, state)],
  });
  const agents = { scripted: agent("state.json"), second: agent("second.json") };
  return { agents, roles: { "*": { agent: "scripted" } }, planning: { retries: 0 } };
};

/** A workspace with the scripted agent for all roles. */
function workspace(git: "commits" | "unborn" | "none"): Rig {
  const rig = makeRig();
  mkdirSync(join(rig.root, "docs"));
  rig.write("docs/spec.md", SPEC);
  rig.write("tracked.txt", "as committed\n");
  rig.write("doomed.txt", "as committed\n");
  rig.write("planwright.json", JSON.stringify(settings(rig)));
  if (git !== "none") rig.git("init", "-q", "-b", "main");
  rig.ok(["init", "--mission", "Greet"]);
  if (git === "commits") commitAll(rig);
  return rig;
}

function commitAll(rig: Rig): string {
  rig.git("add", "-A");
  rig.git("commit", "-qm", "first");
  return rig.git("rev-parse", "HEAD");
}

const GIT = "git -c user.name=Ada -c user.email=ada@example.org";

const text = (rig: Rig, file: string): string => readFileSync(join(rig.root, file), "utf8");

const plan = (rig: Rig): { id: string; stderr: string } => {
  const { stdout, stderr, code } = rig.run(["plan", "docs/spec.md"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return { id: /RUN-\d+/.exec(stdout + stderr)?.[0] ?? "", stderr };
};

/** Folders of planning agents, and worktrees that git knows besides the checkout. */
const leftovers = (rig: Rig): string[] => {
  const folder = join(rig.worktrees, "planning");
  const known = join(rig.root, ".git/worktrees");
  return [folder, known].flatMap((each) => (existsSync(each) ? readdirSync(each) : []));
};

describe("what you do in your checkout while an author thinks", () => {
  it("stands afterwards: a commit, an edit, a new file, a deleted file", () => {
    const rig = workspace("commits");
    const mine = [
      "echo committed > mine.txt",
      `${GIT} add mine.txt && ${GIT} commit -qm mine`,
      "echo edited > tracked.txt",
      "echo new > new.txt",
      "rm doomed.txt",
      "echo staged > staged.txt && git add staged.txt",
    ];
    scripted(rig, { "author files": [run(`cd "${rig.root}" && ${mine.join(" && ")}`)] });
    const { stderr } = plan(rig);
    expect(stderr).not.toMatch(/put back|working tree changed/i);
    expect(rig.git("log", "--format=%s")).toBe("mine\nfirst");
    expect(["mine.txt", "tracked.txt", "new.txt"].map((file) => text(rig, file))).toEqual([
      "committed\n",
      "edited\n",
      "new\n",
    ]);
    expect(existsSync(join(rig.root, "doomed.txt"))).toBe(false);
    expect(rig.git("status", "--short")).toBe("D doomed.txt\nA  staged.txt\n M tracked.txt\n?? new.txt");
    expect(leftovers(rig)).toEqual([]);
  });

  it("stands afterwards: another branch with other files", () => {
    const rig = workspace("commits");
    const mine = [
      "git switch -qc other",
      "git rm -q doomed.txt",
      "echo other > tracked.txt",
      `${GIT} commit -qam other`,
    ];
    scripted(rig, { critic: [run(`cd "${rig.root}" && ${mine.join(" && ")}`)] });
    plan(rig);
    expect(rig.git("branch", "--show-current")).toBe("other");
    expect([text(rig, "tracked.txt"), existsSync(join(rig.root, "doomed.txt"))]).toEqual(["other\n", false]);
    expect(rig.git("status", "--short")).toBe("");
  });

  it("stands afterwards: a landing that moves main and brings your checkout along", () => {
    const rig = workspace("commits");
    const task = {
      id: "one",
      title: "Make one",
      parent: "FEAT-001",
      body: "```sh run\necho one > one.txt\n```",
      checks: [{ run: "test -f one.txt" }],
      files: ["one.txt"],
    };
    const feature = { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" };
    writeFileSync(noteOf(rig, "tasks.jsonl"), [feature, task].map((node) => JSON.stringify(node)).join("\n"));
    rig.write(
      "planwright.json",
      JSON.stringify({ ...settings(rig), roles: { worker: { agent: "shell" }, reviewer: { agent: "none" } } }),
    );
    commitAll(rig);
    rig.ok(["add", "--from", noteOf(rig, "tasks.jsonl")]);
    rig.ok(["approve", "FEAT-001"]);
    rig.ok(["run", "--batch"]);
    const env = Object.entries(rig.environment()).map(([name, value]) => `${name}='${value}'`);
    // You, in a terminal of your own: what an agent starts is marked as its own.
    const land = `cd "${rig.root}" && env -u PLANWRIGHT_CHILD -u PLANWRIGHT_ATTEMPT ${env.join(" ")} "${process.execPath}" "${BIN}" land FEAT-001 --yes > "${noteOf(rig, "landed")}" 2>&1`;
    scripted(rig, { "author tasks": [run(land)] });
    const { code } = rig.run(["plan", "docs/spec.md", "--agent", "scripted"]);
    expect([code, noted(rig, "landed").join("\n")]).toEqual([0, expect.stringContaining("landed")]);
    expect([text(rig, "one.txt"), rig.git("status", "--short")]).toEqual(["one\n", ""]);
    expect(rig.git("show", "main:one.txt")).toBe("one");
  });
});

describe("an agent that plans", () => {
  it("reads a worktree at the commit that is checked out, and each call names it", () => {
    const rig = workspace("commits");
    const first = rig.git("rev-parse", "HEAD");
    rig.write("uncommitted.txt", "not yet\n");
    rig.write("tracked.txt", "edited\n");
    const look = (name: string): object =>
      run(`{ pwd; git rev-parse HEAD; cat tracked.txt; ls; } > "${noteOf(rig, name)}"`);
    const commit = run(`cd "${rig.root}" && ${GIT} commit -qam second`);
    scripted(rig, { clarifier: [look("before")], "author files": [commit], critic: [look("after")] });
    const { id, stderr } = plan(rig);
    const second = rig.git("rev-parse", "HEAD");
    const [folder, head, tracked, ...files] = noted(rig, "before");
    expect([head, tracked, files.includes("uncommitted.txt")]).toEqual([first, "as committed", false]);
    expect([folder?.startsWith(rig.worktrees), noted(rig, "after").slice(0, 3)]).toEqual([
      true,
      [folder, second, "edited"],
    ]);
    const { roleCalls } = rig.ok(["plan", "show", id]);
    expect(roleCalls.map(({ commit }: { commit: string }) => commit)).toEqual([
      first,
      first,
      first,
      second,
      second,
      second,
    ]);
    expect(roleCalls[0].input).toContain(`at commit ${first}`);
    expect(stderr.match(/Planning reads commit/g)).toHaveLength(1);
    expect(stderr).toContain(
      `Planning reads commit ${first.slice(0, 10)}, without 2 uncommitted files: tracked.txt and uncommitted.txt.`,
    );
  });

  it("cannot change your checkout by writing where it stands, and the run says so once", () => {
    const rig = workspace("commits");
    const write = run("echo owned > owned.txt; echo owned > tracked.txt; rm doomed.txt; mkdir -p out; echo x > out/x");
    scripted(rig, { clarifier: [write], critic: [run(`ls > "${noteOf(rig, "seen")}"`), write] });
    const { id, stderr } = plan(rig);
    expect(rig.git("status", "--short")).toBe("");
    expect(text(rig, "tracked.txt")).toBe("as committed\n");
    expect(noted(rig, "seen")).toEqual(["docs", "doomed.txt", "planwright.json", "tracked.txt"]);
    expect(stderr.match(/thrown away/g)).toHaveLength(1);
    expect(stderr).toContain(
      "clarifier (clarify): It may only read, but wrote doomed.txt, out/x, owned.txt, tracked.txt in its own copy of the files. The copy is thrown away.",
    );
    const { roleCalls } = rig.ok(["plan", "show", id]);
    const written = ["doomed.txt", "out/x", "owned.txt", "tracked.txt"];
    expect(roleCalls.map(({ wrote }: { wrote: string[] }) => wrote)).toEqual([written, [], [], [], written, []]);
    expect(leftovers(rig)).toEqual([]);
  });

  it("finds its conversation again in the same folder when the run is resumed", () => {
    const rig = workspace("commits");
    const where = run(`pwd >> "${noteOf(rig, "where")}"`);
    scripted(rig, { "author capabilities": [where], "author files": [where, { crash: 1 }] });
    expect(rig.run(["plan", "docs/spec.md"]).code).toBe(2);
    expect(leftovers(rig)).toEqual([]);
    scripted(rig, { "author files": [where], "author tasks": [where] });
    const [question] = rig.ok(["question", "list"]).questions ?? [];
    rig.ok(["answer", question?.id ?? "ESC-001", "retry"]);
    rig.ok(["plan", "resume"]);
    const folders = new Set(noted(rig, "where"));
    expect(folders.size).toBe(1);
    expect(leftovers(rig)).toEqual([]);
  });

  it.each(["unborn", "none"] as const)("reads a copy of the files where there is no commit: %s", (git) => {
    const rig = workspace(git);
    rig.write("large.bin", "x".repeat(6_000_000));
    const look = run(
      `{ pwd; cat tracked.txt; ls; } > "${noteOf(rig, "seen")}"; echo owned > tracked.txt; touch new.txt`,
    );
    scripted(rig, { clarifier: [look] });
    const { id, stderr } = plan(rig);
    const [folder, tracked, ...files] = noted(rig, "seen");
    expect([folder?.startsWith(rig.worktrees), tracked]).toEqual([true, "as committed"]);
    expect([files.includes("doomed.txt"), files.includes("large.bin")]).toEqual([true, false]);
    expect([text(rig, "tracked.txt"), existsSync(join(rig.root, "new.txt"))]).toEqual(["as committed\n", false]);
    expect(stderr).toContain("wrote new.txt, tracked.txt in its own copy");
    const { roleCalls } = rig.ok(["plan", "show", id]);
    expect([roleCalls[0].commit, roleCalls[0].wrote]).toEqual([null, ["new.txt", "tracked.txt"]]);
    expect(leftovers(rig)).toEqual([]);
  });

  it("stands in the folder of the workspace, if that is a folder of its repository", () => {
    const rig = workspace("none");
    rmSync(join(rig.root, ".planwright"), { recursive: true });
    const shop = join(rig.root, "shop");
    mkdirSync(join(shop, "docs"), { recursive: true });
    writeFileSync(join(shop, "docs/spec.md"), SPEC);
    writeFileSync(join(shop, "planwright.json"), JSON.stringify(settings(rig)));
    rig.ok(["init", "--mission", "Shop"], { cwd: shop });
    rig.git("init", "-q", "-b", "main");
    commitAll(rig);
    scripted(rig, { clarifier: [run(`{ pwd; ls; } > "${noteOf(rig, "seen")}"`)] });
    expect(rig.run(["plan", "docs/spec.md"], { cwd: shop })).toMatchObject({ code: 0 });
    const [folder, ...files] = noted(rig, "seen");
    expect([folder?.endsWith("/shop"), files]).toEqual([true, ["docs", "planwright.json"]]);
  });
});

it("two runs at once read folders of their own and disturb neither each other nor you", async () => {
  const rig = workspace("commits");
  // Both are there before either goes on.
  const [here, there] = [noteOf(rig, "here"), noteOf(rig, "there")];
  execFileSync("mkfifo", [here, there]);
  const meet = [
    'me=$(basename "$PWD")',
    "echo mine > $me.txt",
    `case $me in RUN-001) echo > "${here}"; cat "${there}";; *) cat "${here}"; echo > "${there}";; esac`,
    `ls > "${rig.config}/seen-$me"`,
  ];
  scripted(rig, { clarifier: [run(meet.join("; "))] });
  const [first, second] = await Promise.all([
    rig.start(["plan", "docs/spec.md", "--timeout-minutes", "1"]),
    rig.start(["plan", "docs/spec.md", "--timeout-minutes", "1", "--agent", "second", "--quick"]),
  ]);
  expect([first, second]).toMatchObject([{ code: 0 }, { code: 0 }]);
  const seen = ["RUN-001", "RUN-002"].map((key) => noted(rig, `seen-${key}`).filter((file) => file.startsWith("RUN")));
  expect(seen).toEqual([["RUN-001.txt"], ["RUN-002.txt"]]);
  expect([rig.git("status", "--short"), leftovers(rig)]).toEqual(["", []]);
});

describe("a planning program that is killed while its agent thinks", () => {
  /** Kills the program once the agent has said that it is there, in its folder. */
  async function killed(rig: Rig): Promise<void> {
    const here = noteOf(rig, "here");
    scripted(rig, {
      clarifier: [run(`echo half > half.txt; pwd > "${here}.new"; mv "${here}.new" "${here}"`), { hang: true }],
    });
    const child = spawn(process.execPath, [BIN, "plan", "docs/spec.md"], {
      cwd: rig.root,
      env: rig.environment(),
      stdio: "ignore",
    });
    const ended = new Promise((done) => child.on("close", done));
    await expect.poll(() => existsSync(here), { timeout: 30_000 }).toBe(true);
    child.kill("SIGKILL");
    await ended;
    expect(leftovers(rig)).not.toEqual([]);
    scripted(rig);
  }

  it.each([
    ["its run is resumed", ["plan", "resume"]],
    ["another plan is made", ["plan", "docs/spec.md", "--agent", "outline"]],
    ["gc runs", ["gc"]],
    ["an engine runs", ["run", "--batch"]],
  ])("leaves no folder and no worktree once %s", async (_, command) => {
    const rig = workspace("commits");
    await killed(rig);
    rig.run(command);
    expect(leftovers(rig)).toEqual([]);
    expect(rig.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(rig.git("status", "--short")).toBe("");
  });

  it("is listed by gc --dry-run, and only then removed", async () => {
    const rig = workspace("none");
    await killed(rig);
    const removed: { kind: string; name: string }[] = rig.ok(["gc", "--dry-run"]).removed;
    expect(removed.map(({ kind, name }) => [kind, name.replace(`${rig.worktrees}/`, "")])).toEqual([
      ["worktree leftover", "planning/RUN-001"],
    ]);
    expect(leftovers(rig)).toEqual(["RUN-001"]);
    rig.ok(["gc"]);
    expect(leftovers(rig)).toEqual([]);
  });
});

it("a host that serves the roles itself reads your checkout, and nothing in it is put back", () => {
  const rig = workspace("commits");
  rig.write("uncommitted.txt", "mine\n");
  const { stderr } = rig.run(["plan", "docs/spec.md", "--serve", "host"]);
  expect(stderr).not.toContain("uncommitted");
  const step = rig.ok(["plan", "step"]);
  expect(step.ask.prompt).toContain("uncommitted.txt");
  expect(step.ask.prompt).not.toContain("at commit");
  rig.write("tracked.txt", "edited\n");
  rm(rig, "doomed.txt");
  rig.run(["plan", "submit", step.ask.call, "--output", JSON.stringify(ANSWERS["clarifier"])]);
  expect(rig.git("status", "--short")).toBe("D doomed.txt\n M tracked.txt\n?? uncommitted.txt");
  expect(leftovers(rig)).toEqual([]);
});

const rm = (rig: Rig, file: string): void => rmSync(join(rig.root, file));
