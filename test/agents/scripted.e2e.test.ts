// The contract of agents, kept by a scripted agent that is a real child process: no download, no model, no network.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSession } from "../../src/machine/agents/agent.js";
import { type OpenedAgent, openAgent } from "../../src/machine/agents/open-agent.js";
import { type Act, contract, type Rig } from "./contract.js";
import { SCRIPTED_AGENT } from "./scripted-agent.js";

const stepOf = (act: Act) => {
  if ("say" in act) return { text: act.say };
  if ("write" in act) return { tool: { title: "Write a file", kind: "edit", ask: true, write: act.write } };
  return act;
};

/** It says something before it hangs, so that one sees that it does. */
const stepsOf = (acts: readonly Act[]) => acts.flatMap((act) => ("hang" in act ? [{ text: "…" }, act] : [stepOf(act)]));

async function open(home: string): Promise<Rig> {
  const script = join(home, "script.json");
  const turns: unknown[] = [];
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const settings = { command: process.execPath, args: [SCRIPTED_AGENT, script, join(home, "state.json")] };
  const agent = openAgent("scripted", settings, env) as OpenedAgent;
  let asked = 0;
  let reminder: { when: string; steps: unknown } | undefined;
  const prompt = (acts: readonly Act[], reminded: readonly Act[] = [{ say: "Nothing more." }]): string => {
    const mark = `prompt ${++asked}.`;
    if (reminder !== undefined) reminder.when = "never";
    reminder = { when: "without handing in", steps: stepsOf(reminded) };
    turns.push({ when: mark, steps: stepsOf(acts) }, reminder);
    writeFileSync(script, JSON.stringify(turns));
    return mark;
  };
  return {
    agent,
    env,
    version: /^1\.2\.3$/,
    prompt,
    hanging: (spoke) => spoke,
    heard: ({ text }, words) => text.includes(words),
    async remembers(session: AgentSession, words: string) {
      turns.push({ when: "What was said?", steps: [{ recall: true }] });
      writeFileSync(script, JSON.stringify(turns));
      const { text } = await session.turn({ prompt: "What was said?", timeoutMs: 100_000 });
      return text.includes("prompt 1.") && words !== "";
    },
    close: async () => {},
  };
}

contract("the scripted agent", open);
