// Levels, news, the stop hook and triage, through the program that users get.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, makeRig, type Outcome, type Rig, type RunOptions } from "./rig.js";

function makePlanned(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--mission", "Ship it"]);
  const lines = [
    { id: "FEAT-1", tier: "feature", title: "Login" },
    { id: "T-1", title: "One", parent: "FEAT-1", checks: [{ run: "true" }] },
    { id: "T-2", title: "Two", parent: "FEAT-1", dependsOn: ["T-1"] },
  ];
  rig.ok(["add", "--from", "-"], { input: lines.map((line) => JSON.stringify(line)).join("\n") });
  rig.ok(["approve", "FEAT-1"]);
  return rig;
}

const finish = (rig: Rig, id: string): unknown => {
  rig.ok(["start", id]);
  return rig.ok(["complete", id]);
};

const AGENT = { env: { PLANWRIGHT_ACTOR: "agent:bot" } };

describe("level", () => {
  it("is raised by a person, lowered by anybody, and says which one counts", () => {
    const rig = makePlanned();
    expect(rig.run(["level"])).toMatchObject({ code: 0, stdout: "workspace  off\n" });
    expect(rig.fails(["level", "on"], AGENT)).toMatchObject({ code: 3, reason: "needs-person" });
    rig.ok(["level", "auto", "--reason", "a quiet week", "--unsandboxed"]);
    rig.ok(["level", "on", "--in", "T-1"], AGENT);
    // The machine may have no sandbox.
    const said = rig.run(["level"]).stdout.replace(", without a sandbox", "");
    expect(said).toBe("workspace  auto  by human:ada: a quiet week\nFEAT-1  on  by agent:bot\n");
    expect(rig.fails(["level", "auto", "--in", "FEAT-1"], AGENT).reason).toBe("needs-person");
    expect(rig.run(["level", "off"], AGENT).stderr).toContain("planwright undo");
    expect(rig.run(["level", "--in", "FEAT-1"]).stdout).toBe("FEAT-1  on, counts as off  by agent:bot\n");
    expect(rig.fails(["undo"], AGENT)).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.fails(["level", "full"])).toMatchObject({ code: 5, reason: "invalid-input" });
    rig.ok(["undo", "6"]);
    expect(rig.ok(["level"])).toMatchObject({ level: "auto", features: [{ id: "FEAT-1", effective: "on" }] });
    expect(rig.run(["log"]).stdout).toContain("agent:bot  set the level of FEAT-1 from auto to on");
  });
});

describe("subscribe and inbox", () => {
  it("tell what happened, once, whoever did it and however many programs that took", () => {
    const rig = makePlanned();
    expect(rig.run(["inbox"])).toMatchObject({ code: 0, stdout: "You are not subscribed to anything.\n" });
    expect(rig.fails(["news", "--wait"])).toMatchObject({ code: 2, reason: "not-subscribed" });
    rig.ok(["subscribe"]);
    rig.ok(["subscribe", "T-2", "--news", "ready"], AGENT);
    expect(rig.run(["inbox"])).toMatchObject({ code: 0, stdout: "Nothing is new.\n" });
    finish(rig, "T-1");
    expect(rig.ok(["inbox"], AGENT).news).toMatchObject([{ kind: "ready", id: "T-2", title: "Two", times: 1 }]);
    expect(rig.ok(["inbox", "--peek"]).news).toHaveLength(3);
    const { stdout } = rig.run(["inbox"]);
    expect(stdout.replaceAll(/\d{4}-[^)]*/g, "…")).toBe(
      [
        "claimed       T-1  One  (by human:ada; …)",
        "completed     T-1  One  (done; …)",
        "ready         T-2  Two  (…)",
        "",
      ].join("\n"),
    );
    expect(rig.run(["inbox"]).stdout).toBe("Nothing is new.\n");
    expect(rig.run(["news", "subscriptions"]).stdout).toBe(
      "SUB-001  workspace  ready, claimed, completed, rejected, needs-person, landed\n",
    );
    rig.ok(["waive", "T-2", "--reason", "not needed"]);
    expect(rig.run(["inbox"], AGENT).stdout.split("\n")).toEqual([
      "ended         SUB-002  T-2 is waived, so this subscription ends",
      "",
      "? 1 thing waits for a person: 1 feature to land.",
      '  Everything in FEAT-1 "Login" is finished: land it.',
      "    planwright complete FEAT-1-LAND",
      "",
    ]);
    const { stderr } = rig.run(["inbox"]);
    expect(stderr).toMatch(/^ {2}planwright why FEAT-1-LAND {3}.*\n$/);
    rig.ok(["news", "unsubscribe"]);
    expect(rig.fails(["news", "unsubscribe"]).code).toBe(2);
    expect(rig.fails(["subscribe", "--news", "everything"]).code).toBe(5);
    rig.ok(["verify"]);
  });

  /** A program that waits, and how it ends. */
  function waiting(rig: Rig, ...args: string[]): { ended: Promise<Outcome>; kill: () => void } {
    const child = spawn(process.execPath, [BIN, "inbox", "--wait", ...args], {
      cwd: rig.root,
      env: rig.environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return { ended, kill: () => void child.kill("SIGINT") };
  }

  it("wait for what comes", async () => {
    const rig = makePlanned();
    rig.ok(["subscribe", "--news", "claimed"]);
    const { ended } = waiting(rig, "--json");
    rig.ok(["start", "T-1"], AGENT);
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { news: [{ kind: "claimed", id: "T-1" }] } });
    expect(rig.run(["inbox"]).stdout).toBe("Nothing is new.\n");
  });

  it("are not told by a program whose reader has gone away", async () => {
    const rig = makePlanned();
    rig.ok(["subscribe", "--news", "claimed"]);
    rig.ok(["start", "T-1"], AGENT);
    const gone = join(rig.root, "gone");
    const script = `mkfifo ${gone}; exec 3<> ${gone}; exec 4> ${gone}; exec 3>&-; "$0" "$@" >&4`;
    const child = spawn("/bin/bash", ["-c", script, process.execPath, BIN, "inbox"], {
      cwd: rig.root,
      env: rig.environment(),
      stdio: "ignore",
    });
    await once(child, "close");
    expect(rig.ok(["inbox"]).news).toMatchObject([{ kind: "claimed", id: "T-1" }]);
    expect(rig.run(["inbox"]).stdout).toBe("Nothing is new.\n");
  });

  it("end cleanly with Ctrl-C, and lose nothing", async () => {
    const rig = makePlanned();
    rig.ok(["subscribe", "--news", "claimed"]);
    const { ended, kill } = waiting(rig);
    // One that comes before it listens ends it as well.
    const timer = setInterval(kill, 100);
    const { code, stdout, stderr } = await ended;
    clearInterval(timer);
    expect([130, null]).toContain(code);
    expect(stdout + stderr).toBe("");
    rig.ok(["start", "T-1"]);
    expect(rig.ok(["inbox"]).news).toMatchObject([{ kind: "claimed", id: "T-1" }]);
  });
});

describe("hook stop", () => {
  const stop = (rig: Rig, told: object, options: RunOptions = AGENT): Outcome =>
    rig.run(["hook", "stop"], { ...options, input: JSON.stringify({ hook_event_name: "Stop", ...told }) });

  const decisions = (outcome: Outcome): unknown => {
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    return (JSON.parse(outcome.stdout) as { decision?: string }).decision ?? "go";
  };

  it("keeps an agent at its own task, three times, then lets it go", () => {
    const rig = makePlanned();
    const session = { session_id: "s-1", stop_hook_active: false, cwd: rig.root };
    expect(stop(rig, session).stdout).toBe("{}\n");
    rig.ok(["start", "T-1"], AGENT);
    const first = stop(rig, session);
    expect(JSON.parse(first.stdout)).toEqual({
      decision: "block",
      reason: expect.stringContaining("You have claimed T-1 (One) and not handed it in.") as string,
    });
    expect([1, 2, 3].map(() => decisions(stop(rig, session)))).toEqual(["block", "block", "go"]);
    expect(readdirSync(join(rig.root, ".planwright", "stops"))).toEqual([]);
    expect(decisions(stop(rig, { ...session, stop_hook_active: true }))).toBe("go");
  });

  it("holds nobody to the task of another", () => {
    const rig = makePlanned();
    rig.ok(["start", "T-1"], AGENT);
    expect(decisions(stop(rig, {}, { env: { PLANWRIGHT_ACTOR: "agent:eve", PLANWRIGHT_TASK: "T-1" } }))).toBe("go");
    // Every session on the machine has the name that is guessed.
    const guessed = { env: { CLAUDECODE: "1" } };
    rig.ok(["add", "Three", "--parent", "FEAT-1", "--id", "T-3"]);
    rig.ok(["approve", "T-3"]);
    rig.ok(["start", "T-3"], guessed);
    expect(decisions(stop(rig, {}, guessed))).toBe("go");
    expect(decisions(stop(rig, {}, { env: { CLAUDECODE: "1", PLANWRIGHT_TASK: "t-3" } }))).toBe("block");
  });

  it("has nothing to say without a plan, without sense, or without input", () => {
    const nowhere = makeRig();
    expect(nowhere.run(["hook", "stop"], { input: "{}" })).toMatchObject({ code: 0, stdout: "{}\n" });
    const rig = makePlanned();
    rig.ok(["start", "T-1"], AGENT);
    for (const input of ["", "no JSON", "null", "[1]"]) {
      const { code, stdout } = rig.run(["hook", "stop"], { input });
      expect({ code, stdout }).toEqual({ code: 0, stdout: "{}\n" });
    }
    expect(rig.ok(["show", "T-1"]).status).toBe("in_progress");
    expect(rig.fails(["hook", "begin"])).toMatchObject({ code: 5, reason: "unknown-subcommand" });
  });
});

describe("triage", () => {
  it("suggests, and does what it can prove when it is told to", () => {
    const rig = makeRig();
    rig.git("init", "-q", "-b", "main");
    rig.write("README.md", "hello\n");
    rig.git("add", "-A");
    rig.git("commit", "-q", "-m", "begin");
    rig.ok(["init", "--mission", "Ship it"]);
    const body = "```sh run\necho a > a.txt\n```";
    const lines = [
      { id: "FEAT-1", tier: "feature", title: "Login" },
      { id: "T-1", title: "One", parent: "FEAT-1", body, files: ["a.txt"], checks: [{ run: "grep -q good a.txt" }] },
    ];
    rig.ok(["add", "--from", "-"], { input: lines.map((line) => JSON.stringify(line)).join("\n") });
    rig.ok(["approve", "FEAT-1"]);
    expect(rig.run(["question", "triage"]).stdout).toBe("No question of execution is open.\n");
    rig.run(["run", "--batch"]);
    expect(rig.ok(["show", "T-1"]).status).toBe("rejected");
    expect(rig.ok(["question", "triage"])).toMatchObject([
      { id: "ESC-001", about: "T-1", bucket: "genuine-decision", proof: null },
    ]);
    expect(rig.fails(["question", "confirm", "ESC-001"])).toMatchObject({ code: 3, reason: "no-proof" });
    // Somebody takes up what the attempt left behind, and fixes it on main.
    const [kept] = rig.git("for-each-ref", "--format=%(objectname)", "refs/planwright/kept").split("\n");
    rig.git("merge", "-q", "--no-ff", "-m", "by hand", kept as string);
    expect(rig.ok(["question", "triage"])).toMatchObject([
      { bucket: "verified-done", verb: "accept", proof: "checks-green" },
    ]);
    expect(rig.fails(["question", "confirm", "ESC-001"])).toMatchObject({ code: 3, reason: "checks-failed" });
    rig.write("a.txt", "good\n");
    rig.git("commit", "-q", "-a", "-m", "fixed");
    const { code, stdout } = rig.run(["question", "confirm", "ESC-001"]);
    expect({ code, first: stdout.split("\n")[0] }).toEqual({ code: 0, first: "✓ ESC-001  T-1 is accepted" });
    expect(rig.ok(["show", "T-1"])).toMatchObject({ status: "done", acceptance: { by: "human:ada" } });
    expect(rig.fails(["question", "confirm"])).toMatchObject({ code: 5 });
    expect(rig.fails(["question", "triage", "refute", "ESC-001"])).toMatchObject({ code: 5 });
    rig.ok(["verify"]);
  });
});
