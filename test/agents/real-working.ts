// Attempts of the built program with one real agent as worker, and as reviewer if it is fast, which talks to a model on
// the loopback interface: from a wrong start over a failed check and a finding to accepted work, and one that a person
// stops.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { worktreesFolder } from "../../src/config/state-folder.js";
import { KNOWN_AGENTS } from "../../src/machine/agents/known.js";
import { needsSandbox } from "../needs-sandbox.js";
import { GREETING, type Options, REVIEWER, TOLD, UNTOUCHED, WORKER, Working } from "../working.js";
import { allGone, newHome } from "./contract.js";
import { furnish, nameTools, realAgent, type Setup, SUBMIT } from "./real.js";
import { type ModelRequest, type ScriptedModel, startScriptedModel } from "./scripted-model.js";
import type { ModelTurn, Step } from "./wire.js";

type Script = readonly (readonly [words: string, steps: readonly Step[]])[];

const isPrompt = ({ role, text }: ModelTurn): boolean =>
  role === "user" && [WORKER, TOLD, REVIEWER].some((words) => text.includes(words));

/** Each prompt that has these words takes the next list of steps for them, a step for each round of tool results. */
function startModel(setup: Setup, script: () => Script): Promise<ScriptedModel> {
  /** By the text of the prompts so far: agents may send the same request again. */
  const taken = new Map<string, readonly Step[]>();
  const left = { script: undefined as Script | undefined };
  const take = (text: string): readonly Step[] => {
    left.script ??= script();
    const at = left.script.findIndex(([words]) => text.includes(words));
    const [found] = left.script.slice(at, at + 1);
    left.script = left.script.filter((_, i) => i !== at);
    return found?.[1] ?? [{ text: "No script." }];
  };
  return startScriptedModel({
    script: ({ turns, tools }) => {
      // Titles are asked for in the same words, but without tools.
      if (tools.length === 0) return { text: "A title" };
      const at = turns.findLastIndex(isPrompt);
      if (at < 0) return undefined;
      const key = JSON.stringify(turns.filter(isPrompt).map(({ text }) => text));
      const steps = taken.get(key) ?? take(turns[at]?.text ?? "");
      taken.set(key, steps);
      const round = turns.slice(at + 1).filter(({ results }) => results.length > 0).length;
      return steps[Math.min(round, steps.length - 1)];
    },
    change: (step, request) => nameTools(step, request, setup),
  });
}

const handIn = (input: unknown): Step => ({ tools: [{ name: SUBMIT, input }] });
const DONE: readonly Step[] = [handIn({ outcome: "done", summary: "It is done." }), { text: "That is all." }];
const FINDING = { severity: "high", file: "greeting.txt", line: 1, what: "It greets nobody." };

interface Place {
  readonly working: Working;
  readonly model: ScriptedModel;
  run(args: readonly string[], options?: Options): ReturnType<Working["run"]>;
  close(): Promise<void>;
}

async function openPlace(name: string, command: string, setup: Setup, reviewed: boolean): Promise<Place> {
  const home = newHome();
  const place: { working?: Working } = {};
  const model = await startModel(setup, () => scriptFor(setup, (place.working as Working).rig.root, reviewed));
  const { settings, env } = furnish(command, setup, home, model.url);
  const serving = { agent: name };
  const working = new Working(home, {
    settings: {
      agents: { [name]: settings },
      roles: { worker: serving, ...(reviewed && { reviewer: serving }) },
      execution: { review: reviewed, footprint: "note" },
    },
    tasks: [GREETING, { title: "Say more", files: ["more.txt"], checks: ["test -s more.txt"] }],
  });
  place.working = working;
  const log = process.env["PLANWRIGHT_AGENTS_LOG"];
  return {
    working,
    model,
    run: (args, options = {}) =>
      working.run(args, { ...options, env: { ...env, DEPLOY_TOKEN: "not-for-agents-1", ...options.env } }),
    close: async () => {
      const file = `${log}/${name}.working`;
      if (log !== undefined) writeFileSync(`${file}.json`, JSON.stringify(model.requests, null, 1));
      if (log !== undefined) writeFileSync(`${file}.jsonl`, working.transcripts());
      await model.close();
      working.remove();
    },
  };
}

/** What the model does: some of it is not allowed, and the first try is wrong. */
function scriptFor(setup: Setup, root: string, reviewed: boolean): Script {
  const inside = (file: string): string =>
    join(worktreesFolder(root, null, { XDG_STATE_HOME: `${root}.state` }), "slot-1", file);
  const write = (path: string, content: string): Step => ({ text: "I write.", tools: [setup.write(path, content)] });
  const run = (command: string): Step => ({ text: "I run it.", tools: [setup.run(command)] });
  const outside = ["evil.txt", ".git/evil", ".planwright/evil"].map((file) => `echo x > ${join(root, file)}`);
  const review: Script = [
    [REVIEWER, [write(inside("sneaked.txt"), "x"), handIn({ findings: [FINDING] }), { text: "That is all." }]],
    [TOLD, [write(inside("names.txt"), "Ada"), ...DONE]],
    [REVIEWER, [handIn({ findings: [] }), { text: "That is all." }]],
  ];
  return [
    [
      WORKER,
      [
        write(inside("greeting.txt"), "helo"),
        run('printf "%s|%s" "$PLANWRIGHT_TASK" "$DEPLOY_TOKEN" > told.txt'),
        run(outside.join("; ")),
        write(join(root, "evil.txt"), "x"),
        ...DONE,
      ],
    ],
    // Some have one tool to make a file and another to change it.
    [TOLD, [run("printf hello > greeting.txt"), ...DONE]],
    ...(reviewed ? review : []),
    [WORKER, [write(inside("more.txt"), "more"), { hang: true }]],
  ];
}

const ATTEMPT_MS = 240_000;

/** Two attempts by one real agent, or a word on why not. Reviewing takes two more processes, which some start slowly. */
export function realWorking(name: string, { reviewed }: { readonly reviewed: boolean }): void {
  const { setup, command, reason } = realAgent(name);
  const called = command === undefined ? `${name} (${reason})` : name;
  describe.skipIf(command === undefined)(`working with ${called}`, { timeout: ATTEMPT_MS }, () => {
    let place: Place;
    beforeAll(async () => {
      place = await openPlace(name, command as string, setup, reviewed);
    });
    afterAll(() => place.close());

    it(`fixes what a check found${reviewed ? " and what a reviewer found" : ""}, and is accepted`, async () => {
      const ran = await place.run(["TASK-00001"]);
      expect(ran.data.ended).toMatchObject([{ attempt: "ATT-00001", state: "accepted" }]);
      const { working } = place;
      const files = ["greeting.txt", "told.txt", "names.txt", "sneaked.txt"].map((file) => working.onBranch(file));
      expect(files).toEqual(["hello", "TASK-00001|", reviewed ? "Ada" : undefined, undefined]);
      expect(working.commit("%an, %s, %(trailers:key=Planwright-Attempt,valueonly)").trim()).toBe(
        "Ada, TASK-00001: Write the greeting, ATT-00001",
      );
      await expect(allGone(working.home)).resolves.toBe(true);
    });

    it("was told in the conversation that it had begun", () => {
      const telling = place.model.requests.filter(({ turns, tools }) => tools.length > 0 && turns.some(isTold));
      const [last] = telling.slice(-1) as [ModelRequest];
      const prompts = last.turns.filter(isPrompt).map(({ text }) => text);
      expect(prompts.map((text) => text.includes(WORKER))).toEqual(reviewed ? [true, false, false] : [true, false]);
      expect(prompts[1]).toContain('The check `test "$(cat greeting.txt)" = hello` failed');
      expect(prompts.join("\n").includes("- high, greeting.txt:1: It greets nobody.")).toBe(reviewed);
    });

    // Without a sandbox some agents can; docs/security.md says so.
    it("changed nothing outside of its folder", needsSandbox, () => {
      const { working } = place;
      expect(working.untouched()).toBe(UNTOUCHED);
      const evil = [".git/evil", ".planwright/evil"].filter((file) => existsSync(join(working.rig.root, file)));
      expect(evil).toEqual([]);
    });

    it("is counted, and its transcript has no secret", async () => {
      const { rounds, usage } = await place.working.attempt();
      const counts = KNOWN_AGENTS[name]?.capabilities.usage ?? "none";
      expect([rounds, usage.inputTokens > 0, usage.outputTokens > 0]).toEqual([
        reviewed ? 2 : 1,
        counts !== "none",
        counts !== "none",
      ]);
      expect((usage.costUsd ?? 0) > 0 || counts !== "tokens and cost").toBe(true);
      expect(place.working.transcripts()).not.toContain("not-for-agents-1");
    });

    it("is stopped by a person, who gets the task back with what was done", async () => {
      const hanging = place.model.requested(({ step }) => step.hang === true);
      const ran = await place.run(["TASK-00002"], {
        onStart: (child) => void hanging.then(() => child.kill("SIGINT")),
      });
      expect(ran.data).toMatchObject({ stopped: true, ended: [{ state: "released" }] });
      await expect(allGone(place.working.home)).resolves.toBe(true);
      expect(place.working.kept("ATT-00002", "more.txt")).toBe("more");
      expect(place.working.rig.ok(["show", "TASK-00002"])).toMatchObject({ status: "ready" });
    });
  });
}

const isTold = ({ role, text }: ModelTurn): boolean => role === "user" && text.includes(TOLD);
