// A planning run that asked something, with triage and a daemon at level auto beside it, through the real program.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SCRIPTED_AGENT } from "./agents/scripted-agent.js";
import { ANSWERS, SPEC } from "./planning.js";
import { makeRig, type Rig } from "./rig.js";

/** An agent that crashes whenever it is asked, and a task that the shell worker can do. */
function makeWorkspace(): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.write("spec.md", SPEC);
  rig.write(".gitignore", "script.json\n");
  const script = rig.write("script.json", JSON.stringify([{ when: "", steps: [{ crash: 3 }], again: true }]));
  const args = [SCRIPTED_AGENT, script, join(rig.root, ".git/state.json")];
  const planner = { agent: "scripted" };
  rig.write(
    "planwright.json",
    JSON.stringify({
      agents: { scripted: { command: process.execPath, args } },
      roles: { clarifier: planner, author: planner, critic: planner, overviewer: planner, worker: { agent: "shell" } },
      planning: { retries: 0 },
      execution: { sandbox: "off", tickSeconds: 1, review: false },
    }),
  );
  rig.git("add", "-A");
  rig.git("commit", "-q", "-m", "first");
  rig.ok(["init", "--mission", "Greet"]);
  rig.write(
    "tasks.jsonl",
    [
      { id: "FEAT-X", tier: "feature", title: "Files", parent: "MISSION" },
      {
        id: "T-1",
        title: "Make a file",
        parent: "FEAT-X",
        body: "```sh run\necho 1 > one.txt\n```",
        files: ["one.txt"],
        checks: [{ run: "test -f one.txt" }],
      },
    ]
      .map((node) => JSON.stringify(node))
      .join("\n"),
  );
  rig.ok(["add", "--from", "tasks.jsonl"]);
  rig.ok(["approve", "FEAT-X"]);
  return rig;
}

const resume = (rig: Rig) => rig.fails(["plan", "resume", "RUN-001"]);

const sentences = (rig: Rig, id: string): string => rig.ok(["why", id]).sentences.join(" ");

/** What `waiting` lists about planning. */
const waits = (rig: Rig): string[] =>
  rig
    .ok(["waiting"])
    .entries.filter(({ kind }: { kind: string }) => kind === "question" || kind === "plan")
    .map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`);

describe("a question of a planning run that is not over", () => {
  it("cannot be ended by triage, nor by a daemon at level auto: it stays until you answer it", async () => {
    const rig = makeWorkspace();
    const asked = rig.fails(["plan", "spec.md"]);
    expect([asked.code, asked.reason]).toEqual([2, "run-waiting"]);
    expect(rig.ok(["question", "triage"])).toMatchObject([
      { id: "ESC-001", verb: "answer", proof: null, why: "RUN-001 waits for your answer." },
    ]);
    expect(rig.fails(["question", "confirm", "ESC-001"])).toMatchObject({ code: 3, reason: "no-proof" });
    rig.ok(["level", "auto", "--unsandboxed"]);
    rig.ok(["daemon", "start"]);
    onTestFinished(() => void rig.run(["daemon", "stop"]));
    // Several ticks later it has done and landed the work that it may do.
    await expect.poll(() => rig.ok(["show", "FEAT-X"]).status).toBe("done");
    rig.ok(["daemon", "stop"]);
    expect(waits(rig)).toEqual(["question ESC-001"]);
    expect(sentences(rig, "RUN-001")).toContain("RUN-001 waits for your answers. ESC-001: An agent failed.");
    expect(resume(rig)).toMatchObject({ reason: "run-waiting", message: "RUN-001 waits for your answer: ESC-001." });
    writeFileSync(join(rig.root, "script.json"), JSON.stringify(answering()));
    rig.ok(["answer", "ESC-001", "retry"]);
    expect(rig.ok(["plan", "resume", "RUN-001"]).status).toBe("ready");
  });
});

const answering = () =>
  Object.entries({
    clarifier: "# Your role: clarifier",
    "author capabilities": "# Your role: author, stage capabilities",
    "author files": "# Your role: author, stage files",
    "author tasks": "# Your role: author, stage tasks",
    critic: "# Your role: critic",
    overviewer: "# Your role: overviewer",
  }).map(([topic, when]) => ({ when, steps: [{ submit: ANSWERS[topic] }], again: true }));
