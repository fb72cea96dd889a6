// Views of hooks: the host's JSON in, the host's JSON out.

import type { HookAnswer } from "../../../actions/claim/stop-hook.js";
import { spell } from "../../../app/command-line.js";
import { ok } from "../../../app/vocabulary.js";
import type { Input } from "../read-words.js";
import type { Terminal, ViewOf } from "../view.js";

export const stop: ViewOf<"hook.stop"> = {
  prepare: async (input, terminal) => ok({ ...(await readHost(terminal)), ...input }),
  text: (answer) => JSON.stringify(toHost(answer)),
  // A host takes some failures as an order to go on. Whatever goes wrong must not keep an agent from stopping.
  rescue: () => ({}),
};

async function readHost(terminal: Terminal): Promise<Input> {
  if (terminal.interactive) return {};
  const given: unknown = JSON.parse(new TextDecoder().decode(await terminal.readStdin()));
  if (typeof given !== "object" || given === null) return {};
  const { session_id: session, stop_hook_active: active, cwd } = given as Record<string, unknown>;
  return {
    ...(typeof session === "string" ? { session } : {}),
    ...(active === true ? { active } : {}),
    ...(typeof cwd === "string" ? { folder: cwd } : {}),
  };
}

/** A host hands the reason to the agent, so it says what the agent can type. */
function toHost(answer: HookAnswer): object {
  if (!("decision" in answer)) return {};
  const commands = answer.next.map((each) => `\`${spell(each)}\``);
  return { decision: answer.decision, reason: `${answer.reason} ${commands.join(", ")}` };
}
