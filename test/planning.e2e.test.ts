// Whole planning runs through the real program, with an agent that is a real child process and does what a script
// says; and with no agent at all.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pathWithoutAgents } from "./agents/on-path.js";
import { SCRIPTED_AGENT } from "./agents/scripted-agent.js";
import { ANSWERS, CLARIFICATION, objection, SPEC } from "./planning.js";
import { BIN, makeRig, prepareRig, type Rig } from "./rig.js";
import { needsTerminals, talk } from "./terminal.js";

/** The heading of each role's prompt. */
const HEADINGS: Readonly<Record<string, string>> = {
  researcher: "# Your role: researcher",
  clarifier: "# Your role: clarifier",
  "author capabilities": "# Your role: author, stage capabilities",
  "author files": "# Your role: author, stage files",
  "author tasks": "# Your role: author, stage tasks",
  "author revise": "# Your role: author, revising",
  critic: "# Your role: critic",
  overviewer: "# Your role: overviewer",
};

const idsOf = (questions: readonly { readonly id: string }[]): string[] => questions.map(({ id }) => id);

interface Turn {
  readonly when: string;
  readonly steps: readonly unknown[];
  readonly again?: boolean;
}

/** Turns for one prompt each, before the answers that are given every time. */
const turn = (topic: string, ...steps: unknown[]): Turn => ({ when: HEADINGS[topic] ?? topic, steps });

const workspace = (...turns: readonly Turn[]): Rig => makeWorkspace(0, turns);

/** `retries`: how often a call that failed for the moment is made again. */
function makeWorkspace(retries: number, turns: readonly Turn[]): Rig {
  const rig = makeRig();
  prepareRig(rig, "greeter", beginGreeter);
  const always = Object.entries(HEADINGS).map(([topic, when]) => ({
    when,
    steps: [{ submit: ANSWERS[topic] }],
    again: true,
  }));
  const script = rig.write("script.json", JSON.stringify([...turns, ...always]));
  const args = [SCRIPTED_AGENT, script, join(rig.root, ".git/state.json")];
  rig.write(
    "planwright.json",
    JSON.stringify({
      agents: { scripted: { command: process.execPath, args } },
      roles: { "*": { agent: "scripted" } },
      planning: { retries },
    }),
  );
  return rig;
}

function beginGreeter(rig: Rig): void {
  rig.git("init", "-q", "-b", "main");
  mkdirSync(join(rig.root, "docs"));
  rig.write("docs/spec.md", SPEC);
  rig.ok(["init", "--mission", "Greet"]);
}

interface Run {
  readonly id: string;
  readonly status: string;
  readonly questions: readonly { readonly id: string }[];
  readonly stopped: string | null;
  readonly revisions: number;
  readonly calls: number;
  readonly next: readonly unknown[];
}

const planned = (rig: Rig, ...args: string[]) => {
  const { code, stdout, stderr } = rig.run(["plan", ...args, "--json"]);
  const { ok, data, error } = JSON.parse(stdout) as { ok: boolean; data?: Run; error?: { details: Run } };
  expect(ok).toBe(code === 0);
  return { code, stderr, ...((data ?? error?.details) as Run) };
};

const prompts = (rig: Rig): string[] =>
  Object.values(
    (JSON.parse(readFileSync(join(rig.root, ".git/state.json"), "utf8")) as { sessions: Record<string, string[]> })
      .sessions,
  ).flat();

describe("a run with an agent", () => {
  it("asks its questions, revises once, and is approved by a person", () => {
    const grouped = {
      ...(ANSWERS["author tasks"] as object),
      initiatives: [{ id: "I1", title: "Manners" }],
      features: [{ id: "F1", title: "Greeter", parent: "I1" }],
    };
    const rig = workspace(
      turn("clarifier", { submit: CLARIFICATION }),
      turn("author tasks", { submit: grouped }),
      turn("critic", { submit: objection("K1", "high") }),
    );
    const waiting = planned(rig, "docs/spec.md");
    expect([waiting.code, waiting.status, idsOf(waiting.questions)]).toEqual([2, "waiting", ["ESC-001"]]);
    const told = rig.run(["escalations"]).stdout;
    expect(told).toContain("In which language does it greet?");
    rig.ok(["answer", "ESC-001", "latin"]);
    const ready = planned(rig, "resume");
    expect([ready.code, ready.status, ready.revisions]).toEqual([0, "ready", 1]);
    expect(rig.fails(["show", "FEAT-001"]).code).toBe(2);
    expect(rig.fails(["approve", "RUN-001", "--as", "agent:x"])).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.ok(["approve", "RUN-001"]).approved).toContain("TASK-00001");
    expect(rig.ok(["show", "FEAT-001"]).parent).toBe("INIT-001");
    expect(rig.ok(["next", "--as", "agent:w"]).task.id).toBe("TASK-00001");
    expect(rig.ok(["verify"]).differences).toEqual([]);
  });

  it("goes on in the author's conversation, and gives the overviewer a fresh one", () => {
    const rig = workspace(turn("critic", { submit: objection("K1", "high") }));
    planned(rig, "docs/spec.md", "--defaults");
    const { sessions } = JSON.parse(readFileSync(join(rig.root, ".git/state.json"), "utf8")) as {
      sessions: Record<string, string[]>;
    };
    const byRole = (heading: string) =>
      Object.values(sessions).filter((said) => said.some((prompt) => prompt.includes(heading)));
    expect(byRole("# Your role: author, stage tasks")).toEqual(byRole("# Your role: author, revising"));
    const revising = byRole("# Your role: author, revising")[0]?.find((said) => said.includes("author, revising"));
    expect(revising).toContain("This conversation goes on.");
    expect(revising).toContain("A test for spaces.");
    expect(revising).not.toContain("REQ-3 The last name");
    expect(byRole("# Your role: overviewer")[0]).toHaveLength(1);
    expect(byRole("# Your role: overviewer")[0]?.[0]).not.toContain("Your findings of the round before");
  });

  it("has a reply fixed in the same turn, and one that never fits sent back", () => {
    const rig = workspace(
      turn("clarifier", { submit: { intent: 7 } }, { submit: ANSWERS["clarifier"] }),
      turn("author capabilities", { text: "I would rather talk." }),
      turn("without handing in", { text: "Still talking." }),
    );
    const view = planned(rig, "docs/spec.md");
    expect(view.status).toBe("ready");
    const { roleCalls } = rig.ok(["plan", "show", view.id]);
    expect(roleCalls[0]).toMatchObject({ role: "clarifier", state: "answered", repair: 0 });
    expect(roleCalls[1]).toMatchObject({ stage: "capabilities", state: "failed", error: { settled: true } });
    expect(roleCalls[2]).toMatchObject({ stage: "capabilities", state: "answered", repair: 1 });
  });

  it("ends a hanging agent at its time limit, and says how to go on", () => {
    const rig = workspace(turn("author files", { text: "…" }, { deaf: true }));
    const halted = planned(rig, "docs/spec.md", "--timeout-minutes", "0.1");
    expect([halted.code, halted.status, halted.stopped]).toEqual([2, "halted", "timeout"]);
    const { roleCalls } = rig.ok(["plan", "show", halted.id]);
    expect(roleCalls.at(-1).error.recovery).toContain("longer time limit");
    expect(rig.run(["plan", "show"]).stderr).toContain("planwright plan resume RUN-001 --timeout-minutes N");
    expect(planned(rig, "resume", halted.id, "--timeout-minutes", "5").status).toBe("ready");
    expect(prompts(rig).filter((prompt) => prompt.includes(HEADINGS["author capabilities"] as string))).toHaveLength(1);
  });

  it("asks a person after a crash, and tries again", () => {
    const rig = workspace(turn("critic", { crash: 9 }));
    const broken = planned(rig, "docs/spec.md");
    expect([broken.code, broken.status]).toEqual([2, "waiting"]);
    rig.ok(["answer", idsOf(broken.questions)[0] as string, "retry"]);
    expect(planned(rig, "resume").status).toBe("ready");
  });

  it("makes a call again that failed for the moment, and asks nobody", () => {
    const rig = makeWorkspace(1, [turn("critic", { crash: 9 })]);
    const view = planned(rig, "docs/spec.md");
    expect([view.status, view.questions]).toEqual(["ready", []]);
    const { roleCalls } = rig.ok(["plan", "show", view.id]);
    expect(roleCalls.map(({ role, state }: { role: string; state: string }) => `${role} ${state}`)).toContain(
      "critic failed",
    );
  });

  it("carries the dialogue: the author declines, the critic insists, and your words decide", () => {
    const declined = {
      ...(ANSWERS["author revise"] as object),
      responses: [{ finding: "K1", action: "declined", note: "Names have no spaces." }],
    };
    const rig = workspace(
      turn("critic", { submit: objection("K1", "high") }),
      turn("author revise", { submit: { ...declined, responses: [] } }, { submit: declined }),
      turn("critic", { submit: objection("K1", "high") }),
      turn("author revise", {
        submit: { ...(ANSWERS["author revise"] as { tasks: object[] }), overview: "Names may have spaces." },
      }),
    );
    const stopped = planned(rig, "docs/spec.md");
    expect([stopped.code, stopped.status]).toEqual([2, "waiting"]);
    const shown = rig.run(["plan", "show", stopped.id]).stdout;
    expect(shown).toContain("responses: the finding K1 (high) has no response");
    const asked = rig.run(["question", "list"]).stdout;
    expect(asked).toContain("insists on what the author declined");
    expect(asked).toContain("author: declined, Names have no spaces.");
    expect(asked).toMatch(/The whole report is ART-\d+\./);
    rig.ok(["question", "answer", idsOf(stopped.questions)[0] as string, "Names may have spaces, so test them"]);
    const view = planned(rig, "resume");
    expect(view.status).toBe("ready");
    const last = prompts(rig).findLast((prompt) => prompt.includes(HEADINGS["author revise"] as string));
    expect(last).toContain("Names may have spaces, so test them");
    expect(prompts(rig).find((prompt) => prompt.includes("What the author answered to your findings"))).toContain(
      "Names have no spaces.",
    );
  });

  it("asks you about a plan that cannot be read, and lets only the program judge until it can", () => {
    const draft = ANSWERS["author tasks"] as { tasks: object[]; features: object[] };
    const rig = workspace(
      turn("author tasks", { submit: { ...draft, tasks: [], features: [] } }),
      turn("author revise", { submit: { features: draft.features, tasks: draft.tasks.slice(0, 2) } }),
      turn("author revise", { submit: { tasks: draft.tasks.slice(2) } }),
    );
    const stopped = planned(rig, "docs/spec.md");
    expect(rig.run(["question", "list"]).stdout).toContain("P-NO-TASKS");
    rig.ok(["question", "answer", idsOf(stopped.questions)[0] as string, "start-over"]);
    expect(planned(rig, "resume").status).toBe("ready");
    const { roleCalls } = rig.ok(["plan", "show", stopped.id]);
    expect(roleCalls.map(({ role }: { role: string }) => role).slice(-4)).toEqual([
      "author",
      "author",
      "critic",
      "overviewer",
    ]);
  });

  it("keeps a transcript without secrets, and what every call was asked and said", () => {
    const rig = workspace(turn("clarifier", { text: "The key is sk-ant-REDACTED" }, { submit: ANSWERS["clarifier"] }));
    planned(rig, "docs/spec.md");
    const { roleCalls } = rig.ok(["plan", "show", "RUN-001"]);
    const [first] = roleCalls;
    expect(first.input).toContain("# Your role: clarifier");
    expect(JSON.parse(first.output)).toMatchObject({ intent: "A program that greets." });
    expect(first).toMatchObject({ agent: "scripted", agentVersion: "1.2.3", inputTokens: 100, outputTokens: 10 });
    const transcript = readFileSync(first.transcript, "utf8");
    expect(transcript).toContain('"type":"prompt"');
    expect(transcript).not.toContain("abcdefghijklmnop");
  });

  it("never looks alive after SIGKILL, goes on at any call, and asks nothing twice that was answered", async () => {
    const topics = ["clarifier", "author capabilities", "author files", "author tasks", "critic", "overviewer"];
    const rig = workspace(...topics.map((topic) => turn(topic, { text: "…" }, { hang: true })));
    await killWhen(rig, ["plan", "docs/spec.md"], HEADINGS[topics[0] as string] as string);
    expect(rig.run(["why", "RUN-001"]).stdout).toContain("RUN-001 was interrupted");
    expect(rig.run(["waiting"]).stdout).toContain("and stopped: resume it.");
    expect(rig.ok(["plan", "list"]).runs).toMatchObject([{ status: "halted", stopped: "its program has ended" }]);
    for (const topic of topics.slice(1)) await killWhen(rig, ["plan", "resume"], HEADINGS[topic] as string);
    expect(planned(rig, "resume").status).toBe("ready");
    const times = topics.map(
      (topic) => prompts(rig).filter((said) => said.includes(`${HEADINGS[topic] as string}\n`)).length,
    );
    // Once when it was killed, once when it was answered.
    expect(times).toEqual([2, 2, 2, 2, 2, 2]);
    expect(rig.ok(["verify"]).differences).toEqual([]);
  });

  it("stops at Ctrl-C with nothing left behind and a run that goes on", async () => {
    const rig = workspace(turn("author files", { text: "…" }, { hang: true }));
    const child = spawn(process.execPath, [BIN, "plan", "docs/spec.md"], {
      cwd: rig.root,
      env: rig.environment(),
      stdio: "ignore",
    });
    await promptOf(rig, HEADINGS["author files"] as string);
    child.kill("SIGINT");
    expect(await new Promise((done) => child.on("exit", done))).toBe(130);
    expect(spawnSync("pgrep", ["-f", rig.root]).stdout.toString()).toBe("");
    expect(planned(rig, "resume").status).toBe("ready");
  });

  it("proves an agent with one tiny turn", () => {
    const rig = workspace(
      turn("sum of 19 and 23", { submit: { answer: 42 } }),
      turn("sum of 19 and 23", { submit: { answer: 43 } }),
    );
    expect(rig.ok(["agents", "test", "scripted"])).toMatchObject({ works: true, ending: "finished" });
    const wrong = rig.run(["agents", "test", "scripted"]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("scripted does not work")]);
    const { agents } = rig.ok(["agents"]);
    expect(agents.find(({ name }: { name: string }) => name === "scripted")).toMatchObject({
      installed: true,
      version: "1.2.3",
      serves: expect.arrayContaining(["author"]),
    });
  });

  it("commits the plan's documents on request, with nothing but them", () => {
    const rig = workspace();
    rig.git("add", "docs");
    rig.git("commit", "-qm", "spec");
    rig.write("unrelated.txt", "mine");
    rig.git("add", "unrelated.txt");
    planned(rig, "docs/spec.md", "--commit");
    const env = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@a" };
    const { documents } = rig.ok(["approve", "RUN-001"], { env });
    expect(documents.problem).toBeNull();
    const files = rig.git("show", "--name-only", "--format=", "HEAD").split("\n");
    expect(files).toContain("docs/plans/run-001-greeter/plan.md");
    expect(files).not.toContain("unrelated.txt");
    expect(rig.git("status", "--short")).toContain("A  unrelated.txt");
    expect(planned(rig, "docs/plans/run-001-greeter/plan.md").id).toBe("RUN-002");
    expect(rig.ok(["plan", "show", "RUN-002"]).mode).toBe("revise");
  });
});

/** Until the agent was asked that; the state file is the agent's own, and may be half-written for a moment. */
async function promptOf(rig: Rig, heading: string): Promise<void> {
  const file = join(rig.root, ".git/state.json");
  for (;;) {
    if (existsSync(file) && readFileSync(file, "utf8").includes(heading)) return;
    await new Promise((next) => setTimeout(next, 10));
  }
}

async function killWhen(rig: Rig, args: readonly string[], heading: string): Promise<void> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: rig.root,
    env: rig.environment(),
    stdio: "ignore",
  });
  await promptOf(rig, heading);
  child.kill("SIGKILL");
  await new Promise((done) => child.on("exit", done));
}

describe("without any agent", () => {
  /** A machine with node, git and a shell, and nothing else. */
  function bare(): { rig: Rig; env: Record<string, string> } {
    const rig = makeRig();
    rig.git("init", "-q");
    return { rig, env: { PATH: pathWithoutAgents(join(rig.root, "bin")) } };
  }

  it("plans from the structure of the spec, says so, and the plan runs", () => {
    const { rig, env } = bare();
    rig.write("spec.md", SPEC);
    rig.ok(["init"], { env });
    const { code, stderr } = rig.run(["plan", "spec.md"], { env });
    expect(code).toBe(0);
    expect(stderr).toContain("outline planner");
    expect(stderr).toContain("planwright agents");
    rig.ok(["approve", "RUN-001"], { env });
    expect(rig.ok(["next", "--as", "agent:w"], { env }).task.title).toContain("greets");
    const { agents, roles } = rig.ok(["agents"], { env });
    expect(agents.every(({ installed }: { installed: boolean }) => !installed)).toBe(true);
    expect(roles.author).toBe("outline");
  });

  it("plans a changed spec again, shows the difference, and keeps what is done", () => {
    const { rig, env } = bare();
    rig.write("spec.md", SPEC);
    rig.ok(["init"], { env });
    rig.ok(["plan", "spec.md"], { env });
    const { added } = rig.ok(["approve", "RUN-001"], { env });
    const { task, token } = rig.ok(["next", "--as", "agent:w"], { env });
    rig.ok(["complete", task.id, "--token", token, "--as", "agent:w"], { env });
    rig.ok(["accept", task.id, "--reason", "seen"], { env });
    const lines = SPEC.split("\n").filter((line) => !line.includes("REQ-2"));
    rig.write("spec.md", `${lines.join("\n")}- REQ-4 The file can be emptied.\n`);
    expect(rig.run(["artifact", "list"], { env }).stdout).toContain("stale");
    const view = rig.ok(["plan", "spec.md", "--revise", "RUN-001"], { env });
    expect(view.status).toBe("ready");
    const diff = rig.ok(["plan", "diff", view.id], { env });
    expect(diff.added.map(({ title }: { title: string }) => title)).toEqual([expect.stringContaining("emptied")]);
    expect(diff.dropped.map(({ title }: { title: string }) => title)).toEqual([expect.stringContaining("world")]);
    const refused = rig.fails(["approve", view.id], { env });
    expect(refused).toMatchObject({ code: 3, reason: "needs-yes" });
    rig.ok(["approve", view.id, "--yes"], { env });
    expect(rig.ok(["show", task.id], { env }).status).toBe("done");
    expect(rig.ok(["undo"], { env }).verb).toBe("approve");
    expect(added.map((id: string) => rig.ok(["show", id], { env }).status)).not.toContain("dropped");
    expect(rig.ok(["verify"], { env }).differences).toEqual([]);
  });

  it.each(["bullets", "cli-tool", "idea", "rfc", "web-service"])("plans the example %s without an error", (name) => {
    const { rig, env } = bare();
    rig.ok(["init"], { env });
    const text = readFileSync(join(import.meta.dirname, `fixtures/specs/${name}.md`), "utf8");
    const { code, stdout } = rig.run(["plan", "-", "--defaults", "--json"], { env, input: text });
    const { data } = JSON.parse(stdout) as {
      data: {
        status: string;
        coverage: { planned: number; leftOut: number; notUnderstood: number; reasons: { reason: string }[] };
        findings: { conformance: Record<string, number> };
        checked: { tasks: number };
      };
    };
    const { planned: share, leftOut, notUnderstood, reasons } = data.coverage;
    expect([code, data.status, notUnderstood, data.findings.conformance["error"] ?? 0]).toEqual([0, "ready", 0, 0]);
    // Nothing is lost: what is not planned is left out with a reason, and something is planned.
    expect(share + leftOut).toBe(100);
    expect(share).toBeGreaterThanOrEqual(50);
    expect(leftOut > 0).toBe(reasons.length > 0);
    expect(data.checked.tasks).toBeGreaterThan(0);
  });
});

describe("at a terminal", needsTerminals, () => {
  it("asks what was not said, then its questions, and lets the person decide at the end", async () => {
    const rig = workspace(turn("clarifier", { submit: CLARIFICATION }));
    const [code, seen] = await talk(
      rig,
      ["plan", "docs/spec.md"],
      [
        ["Any technology", "plain shell\r"],
        ["Where does the code go", "\r"],
        ["In which language", "\u001b[B\r"],
        // The default reads the plan; after that it approves what was read.
        ["What next", "\r"],
        ["Commands that will run on this machine", ""],
        ["What next", "\r"],
      ],
    );
    expect(code).toBe(0);
    expect(seen.indexOf("Commands that will run")).toBeLessThan(seen.indexOf("RUN-001 is in the plan"));
    expect(seen).toContain("English (recommended)");
    expect(seen).toContain("RUN-001 is in the plan");
    expect(prompts(rig).some((prompt) => prompt.includes("plain shell") && prompt.includes("→ Latin"))).toBe(true);
    expect(rig.ok(["next", "--as", "agent:w"]).task.id).toBe("TASK-00001");
  });

  it("takes an answer in your own words, which reaches the author and the workers", async () => {
    const declined = { finding: "K1", action: "declined", note: "Names have no spaces." };
    const rig = workspace(
      turn("clarifier", { submit: CLARIFICATION }),
      turn("critic", { submit: objection("K1", "high") }),
      turn("author revise", { submit: { ...(ANSWERS["author revise"] as object), responses: [declined] } }),
      turn("critic", { submit: objection("K1", "high") }),
      turn("author revise", { submit: { overview: "Names may have spaces." } }),
    );
    const [code, seen] = await talk(
      rig,
      ["plan", "docs/spec.md", "--stack", "plain shell"],
      [
        ["In which language", "\u001b[B\u001b[B\r"],
        ["In your own words", "Esperanto, with a hat\r"],
        ["author: declined, Names have no spaces", ""],
        ["Tell the author what to do", "\r"],
        ["In your own words", "Test names with spaces\r"],
        ["What next", "\u0003"],
      ],
    );
    expect(code).toBe(130);
    // Later stages go on in the same conversation.
    const first = prompts(rig).find((prompt) => prompt.includes("author, stage capabilities"));
    expect(first).toContain("Esperanto, with a hat");
    expect(seen).toContain("insists on what the author declined");
    expect(prompts(rig).findLast((prompt) => prompt.includes("author, revising"))).toContain("Test names with spaces");
    rig.ok(["approve", "RUN-001"]);
    const bundle = rig.run(["bundle", "create", "TASK-00001", "--print"]).stdout;
    expect(bundle).toContain("Esperanto, with a hat");
    expect(bundle).toContain("plain shell");
  });

  it("asks what to plan, and starts a plan first where there is none", async () => {
    const rig = makeRig();
    rig.git("init", "-q", "-b", "main");
    rig.write("spec.md", "# Greeter\n\n- The program must greet the user by name.\n");
    const steps = (source: string): [string, string][] => [
      ["There is no plan in", "y"],
      ["What do you want to build", source],
      ["Any technology", "\r"],
      ["Where does the code go", "\r"],
      ["What next", "\u0003"],
    ];
    const [code] = await talk(rig, ["plan", "--agent", "outline"], steps("spec.md\r"));
    expect(code).toBe(130);
    expect(rig.ok(["plan", "list"]).runs).toMatchObject([{ id: "RUN-001", source: "spec.md" }]);
    const [left] = await talk(rig, ["plan"], [["What do you want to build", "\u0003"]]);
    expect(left).toBe(130);
    expect(rig.ok(["plan", "list"]).runs).toHaveLength(1);
  });
});

it("says what to type where nobody can be asked what to plan", () => {
  const rig = makeRig();
  expect(rig.fails(["plan"])).toMatchObject({ code: 5, reason: "no-source" });
  expect(rig.run(["plan"]).stderr).toContain("planwright init");
  rig.ok(["init"]);
  expect(rig.run(["plan"]).stderr).not.toContain("planwright init");
});

describe("what can be typed wrong", () => {
  it.each<[string[], number, string]>([
    [["plan"], 5, "no-source"],
    [["plan", "weather"], 2, "not-found"],
    [["plan", "--from", "tasks", "--quick"], 5, "invalid-input"],
    [["plan", "list", "--quick"], 5, "unknown-flag"],
    [["plan", "nothing.md"], 2, "no-file"],
    [["plan", "docs"], 5, "is-folder"],
    [["plan", "  "], 5, "empty-spec"],
    [["plan", "done.md"], 2, "nothing-to-do"],
    [["plan", "why.md", "--agent", "outline"], 2, "nothing-to-do"],
    [["plan", "FEAT-099"], 2, "not-found"],
    [["plan", "RUN-001"], 5, "is-run"],
    [["plan", "an idea", "--agent", "nobody"], 5, "unknown-agent"],
    [["plan", "show", "RUN-999"], 2, "not-found"],
    [["plan", "resume"], 2, "not-found"],
    [["plan", "an idea", "--level", "loud"], 5, "invalid-input"],
    [["expand", "MISSION"], 3, "tier"],
    [["approve", "RUN-999"], 2, "not-found"],
    [["answer", "ESC-999", "yes"], 2, "not-found"],
    [["agents", "test", "nobody"], 2, "not-found"],
    [["agents", "prove"], 5, "unknown-subcommand"],
  ])("%j", (args, code, reason) => {
    const rig = workspace();
    rig.write("done.md", "- [x] done long ago\n");
    rig.write("why.md", "# Search\n\n## Background\n\nIt is slow.\n");
    const failed = rig.fails(args);
    expect(failed).toMatchObject({ code, reason });
    // What was wrong, and what to type next: for a wrong flag or subcommand the message says it.
    expect(failed.message).toMatch(/\S.*\S/);
    expect(failed.next.length > 0 || ["invalid-input", "unknown-flag", "unknown-subcommand"].includes(reason)).toBe(
      true,
    );
    expect(rig.ok(["plan", "list"]).runs).toEqual([]);
  });

  it("names the setting that is wrong", () => {
    const rig = workspace();
    writeFileSync(join(rig.root, "planwright.json"), JSON.stringify({ roles: { author: { agent: 7 } } }));
    expect(rig.fails(["plan", "an idea"])).toMatchObject({ code: 5, message: expect.stringContaining("roles") });
  });
});
