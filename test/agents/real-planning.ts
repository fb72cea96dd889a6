// Planning runs of the built program with one real agent, which talks to a model on the loopback interface: a run
// from question to approval, and one in which the model hangs and the agent is killed.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KNOWN_AGENTS } from "../../src/machine/agents/known.js";
import { descendantsOf, killEach } from "../../src/machine/process/group.js";
import { ANSWERS, CLARIFICATION, objection, SPEC } from "../planning.js";
import { BIN, Rig } from "../rig.js";
import { allGone, newHome, processesOf } from "./contract.js";
import { farewell, handIn, type PlanningModel, startPlanningModel, topicsOf } from "./planning-model.js";
import { furnish, lookUp, realAgent } from "./real.js";

const idsOf = (questions: readonly { readonly id: string }[]): string[] => questions.map(({ id }) => id);

interface Planned {
  readonly code: number | null;
  readonly id: string;
  readonly status: string;
  readonly stopped: string | null;
  readonly questions: readonly { readonly id: string }[];
  readonly revisions: number;
}

/** A repository with a spec, a home for the agent, and the model that it talks to. */
interface Place {
  readonly rig: Rig;
  readonly home: string;
  readonly model: PlanningModel;
  /** Runs `planwright plan` and waits, while the model goes on answering. */
  plan(args: readonly string[], onStart?: (child: ChildProcess) => void): Promise<Planned>;
  close(): Promise<void>;
}

/** The agent serves all roles, or only the author's, after questions that a program asks. */
async function openPlace(name: string, command: string, served: "all" | "author" = "all"): Promise<Place> {
  const { setup } = realAgent(name);
  const rig = new Rig();
  const home = newHome();
  const model = await startPlanningModel(setup);
  const { settings, env } = furnish(command, setup, home, model.url);
  rig.git("init", "-q", "-b", "main");
  mkdirSync(join(rig.root, "docs"));
  rig.write("docs/spec.md", SPEC);
  const serving = { agent: name };
  const alone = { "*": { agent: "none" }, clarifier: { agent: "outline" }, author: serving };
  const roles = served === "all" ? { "*": serving } : alone;
  rig.write("planwright.json", JSON.stringify({ agents: { [name]: settings }, roles, planning: { retries: 0 } }));
  rig.ok(["init", "--mission", "Greet"]);
  rig.git("add", "-A");
  rig.git("commit", "-qm", "spec");
  const log = process.env["PLANWRIGHT_AGENTS_LOG"];
  return {
    rig,
    home,
    model,
    plan: async (args, onStart) => {
      const child = spawn(process.execPath, [BIN, "plan", ...args, "--json"], {
        cwd: rig.root,
        env: rig.environment(env),
        stdio: ["ignore", "pipe", "pipe"],
      });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      onStart?.(child);
      const code = await new Promise<number | null>((done) => child.on("close", done));
      type View = Omit<Planned, "code">;
      const { data, error } = JSON.parse(stdout || "{}") as { data?: View; error?: { details: View | null } };
      const view = data ?? error?.details;
      if (!view) throw new Error(`planwright plan ${args.join(" ")} exited with ${code}: ${stdout}${stderr}`);
      return { ...view, code };
    },
    close: async () => {
      if (log !== undefined) writeFileSync(`${log}/${name}.planning.json`, JSON.stringify(model.requests, null, 1));
      killEach(processesOf(home));
      await model.close();
      rig.remove();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Why calls failed. A reply that was refused and repaired in the same turn is no failure. */
const failures = ({ rig }: Place): string[] =>
  rig
    .ok(["plan", "show", "RUN-001"])
    .roleCalls.flatMap(({ role, state, error }: { role: string; state: string; error: { message: string } | null }) =>
      state === "answered" ? [] : [`${role}: ${state}: ${error?.message}`],
    );

const RUN_MS = 240_000;

/** Two runs over one real agent, or a word on why not. */
export function realPlanning(name: string, mode: "new" | "quick"): void {
  const { command, reason } = realAgent(name);
  const flags = mode === "quick" ? ["--quick"] : [];
  const called = command === undefined ? `${name} (${reason})` : name;
  describe.skipIf(command === undefined)(`planning with ${called}`, { timeout: RUN_MS }, () => {
    wholeRun(() => openPlace(name, command as string), flags, KNOWN_AGENTS[name]?.capabilities.usage !== "none");
    brokenRun(() => openPlace(name, command as string, "author"));
  });
}

function wholeRun(open: () => Promise<Place>, flags: readonly string[], counts: boolean): void {
  describe("a whole run", () => {
    let place: Place;
    beforeAll(async () => {
      place = await open();
      const { model } = place;
      model.queue("clarifier", handIn(CLARIFICATION), { text: farewell("clarifier") });
      const draft = ANSWERS["author tasks"];
      const misfit = { ...(draft as object), tasks: "none" };
      model.queue("author tasks", handIn(misfit), handIn(draft), { text: farewell("author tasks") });
      model.queue("critic", lookUp("plan"), handIn(objection("K1", "high")), { text: farewell("critic") });
    });
    afterAll(() => place.close());

    it("asks a question and waits without a process", async () => {
      const waiting = await place.plan(["docs/spec.md", ...flags]);
      expect(failures(place)).toEqual([]);
      expect([waiting.code, waiting.status, idsOf(waiting.questions)]).toEqual([2, "waiting", ["ESC-001"]]);
      await expect(allGone(place.home)).resolves.toBe(true);
    });

    it("goes on with the answer, revises once, and is ready", async () => {
      place.rig.ok(["answer", "ESC-001", "latin"]);
      const ready = await place.plan(["resume"]);
      expect(failures(place)).toEqual([]);
      expect([ready.code, ready.status, ready.revisions]).toEqual([0, "ready", 1]);
      await expect(allGone(place.home)).resolves.toBe(true);
      expect(place.rig.git("status", "--short")).toBe("");
    });

    it("had a malformed reply repaired in the same turn", () => {
      const { roleCalls } = place.rig.ok(["plan", "show", "RUN-001"]);
      const tasks = roleCalls.find(({ stage }: { stage: string }) => stage === "tasks");
      expect(tasks).toMatchObject({ state: "answered", repair: 0 });
      const results = place.model.requests
        .filter((request) => topicsOf(request).at(-1) === "author tasks")
        .flatMap(({ turns }) => turns.flatMap((turn) => turn.results));
      // Some agents look at the schema themselves and refuse in words of their own: the field is named by all.
      expect(results.join("\n")).toContain("tasks");
    });

    it("let the critic look up what it wanted to read", () => {
      const [asked] = place.model.asked("critic").slice(-1);
      const told = asked?.turns.flatMap(({ results }) => results).join("\n");
      expect(told?.replaceAll("\\", "")).toMatch(/"title": ?"Greet by name"/);
    });

    it("resumed the author's conversation and the critic's, and came fresh to the overviewer", () => {
      const { model } = place;
      const [revising] = model.asked("author revise");
      expect(topicsOf(revising ?? { turns: [] })).toContain("author tasks");
      const said = revising?.turns.filter(({ role }) => role === "assistant").map(({ text }) => text) ?? [];
      expect(said.join("\n")).toContain(farewell("author tasks"));
      expect(model.asked("critic").map(topicsOf)).toEqual([["critic"], ["critic", "critic"]]);
      expect(model.asked("overviewer").map(topicsOf)).toEqual([["overviewer"]]);
    });

    it("tells what each call was and took", () => {
      const { roleCalls } = place.rig.ok(["plan", "show", "RUN-001"]);
      for (const call of roleCalls) {
        expect(call).toMatchObject({ state: "answered", agentVersion: expect.stringMatching(/^\d+\.\d+/) });
        expect([call.inputTokens > 0, call.outputTokens > 0]).toEqual([counts, counts]);
      }
    });

    it("is approved by a person, and gives work", () => {
      expect(place.rig.ok(["approve", "RUN-001"]).approved).toContain("TASK-00001");
      expect(place.rig.ok(["next", "--as", "agent:w"]).task.id).toBe("TASK-00001");
      expect(place.rig.ok(["verify"]).differences).toEqual([]);
    });
  });
}

function brokenRun(open: () => Promise<Place>): void {
  describe("a run that breaks", () => {
    let place: Place;
    beforeAll(async () => {
      place = await open();
    });
    afterAll(() => place.close());

    it("ends a hanging agent at its time limit", async () => {
      place.model.hush("author tasks");
      const halted = await place.plan(["docs/spec.md", "--quick", "--timeout-minutes", "0.1"]);
      expect([halted.code, halted.status, halted.stopped]).toEqual([2, "halted", "timeout"]);
      await expect(allGone(place.home)).resolves.toBe(true);
    });

    it("is killed itself, and has not lost what was answered", async () => {
      const killed = place.plan(["resume", "--timeout-minutes", "3"], (child) => {
        void place.model.silent("author tasks").then(() => child.kill("SIGKILL"));
      });
      await expect(killed).rejects.toThrow("exited with null");
      const { roleCalls } = place.rig.ok(["plan", "show", "RUN-001"]);
      expect(roleCalls.map(({ state }: { state: string }) => state)).toEqual(["answered", "failed", "asked"]);
    });

    // Whatever the killed program left running has to be gone afterwards as well.
    it("asks a person after a crash", async () => {
      const broken = await place.plan(["resume"], (child) => {
        void place.model.silent("author tasks").then(() => killEach(descendantsOf(child.pid)));
      });
      expect([broken.code, broken.status, idsOf(broken.questions)]).toEqual([2, "waiting", ["ESC-001"]]);
      const { roleCalls } = place.rig.ok(["plan", "show", broken.id]);
      expect(roleCalls.at(-1)).toMatchObject({ role: "author", state: "failed", error: { settled: false } });
      await expect(allGone(place.home)).resolves.toBe(true);
    });

    it("tries again when told to, and gets ready", async () => {
      place.model.speak();
      place.rig.ok(["answer", "ESC-001", "retry"]);
      const ready = await place.plan(["resume"]);
      expect([ready.code, ready.status]).toEqual([0, "ready"]);
      await expect(allGone(place.home)).resolves.toBe(true);
      expect(place.rig.git("status", "--short")).toBe("");
    });
  });
}
