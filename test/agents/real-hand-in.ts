// Work that an agent hands in from its checkout, with a real agent on the PATH: it is asked nothing unless the settings name it as
// reviewer, and then it gets the task and the change.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { GREETING, REVIEWER, Working } from "../working.js";
import { allGone, newHome } from "./contract.js";
import { furnish, nameTools, realAgent, SUBMIT } from "./real.js";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.js";

const FINDING = { severity: "high", file: "greeting.txt", line: 1, what: "It greets nobody." };

interface HandIn {
  readonly working: Working;
  readonly model: ScriptedModel;
  readonly env: Readonly<Record<string, string>>;
  token: string;
}

/** `findings`: what the reviewer finds each time that it is asked; it is nobody if there are none. */
async function begin(name: string, command: string, findings: readonly (readonly unknown[])[]): Promise<HandIn> {
  const { setup } = realAgent(name);
  const left = [...findings];
  const model = await startScriptedModel({
    script: ({ turns, tools }) => {
      if (tools.length === 0 || !turns.some(({ text }) => text.includes(REVIEWER))) return undefined;
      const isAnswered = turns.some(({ results }) => results.length > 0);
      return isAnswered
        ? { text: "That is all." }
        : { tools: [{ name: SUBMIT, input: { findings: left.shift() ?? [] } }] };
    },
    change: (step, request) => nameTools(step, request, setup),
  });
  onTestFinished(() => model.close());
  const home = newHome();
  const { settings, env } = furnish(command, setup, home, model.url);
  const { command: _, ...found } = settings;
  const working = new Working(home, {
    settings: {
      agents: { [name]: found },
      roles: findings.length === 0 ? {} : { reviewer: { agent: name } },
      execution: { footprint: "note" },
    },
    tasks: [{ ...GREETING, body: "Say hello to whoever reads it." }],
  });
  onTestFinished(() => working.remove());
  // The person has it on the PATH, too.
  working.rig.ok(["config", "trust", "--yes"], { env });
  const asAgent = { ...env, PLANWRIGHT_ACTOR: "agent:coder" };
  const { token } = working.rig.ok(["next"], { env: asAgent }) as { token: string };
  writeFileSync(join(working.rig.root, "greeting.txt"), "hello");
  return { working, model, env: asAgent, token };
}

const wordsOf = ({ token }: HandIn): string[] => ["complete", "TASK-00001", "--token", token];

const HAND_IN_MS = 240_000;

export function realHandIn(name: string): void {
  const { command, reason } = realAgent(name);
  const called = command === undefined ? `${name} (${reason})` : name;
  describe.skipIf(command === undefined)(`a hand-in with ${called} on the PATH`, { timeout: HAND_IN_MS }, () => {
    it("cannot fail because of an agent that nobody asked for, and asks it nothing", async () => {
      const place = await begin(name, command as string, []);
      const { working, env } = place;
      expect((working.rig.ok(["agents"], { env }) as { roles: object }).roles).toMatchObject({
        worker: name,
        reviewer: "none",
      });
      // The settings name it, so it comes first among those that are on the PATH.
      expect(working.rig.ok(wordsOf(place), { env })).toMatchObject({ acceptance: "accepted" });
      expect(place.model.requests).toEqual([]);
    });

    it("is reviewed by it if the settings say so, with the task in its prompt", async () => {
      const place = await begin(name, command as string, [[FINDING], []]);
      const { working, env, model } = place;
      expect((await working.rig.start([...wordsOf(place), "--json"], { env })).stdout).toContain("It greets nobody.");
      const second = await working.rig.start([...wordsOf(place), "--json"], { env });
      expect(JSON.parse(second.stdout)).toMatchObject({ data: { acceptance: "accepted" } });
      const asked = model.requests.flatMap(({ turns }) => turns).filter(({ text }) => text.includes(REVIEWER));
      for (const { text } of asked)
        expect(text).toMatch(/# TASK-00001: Write the greeting[\s\S]*Say hello to whoever[\s\S]*\+hello/);
      expect((await working.attempt()).reviews).toMatchObject([
        { by: name, missing: null, findings: [{ severity: "high" }] },
        { by: name, missing: null, findings: [] },
      ]);
      await expect(allGone(working.home)).resolves.toBe(true);
    });
  });
}
