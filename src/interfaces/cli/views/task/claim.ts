// Views of claims, and of the hook that keeps an agent at its task: the host's JSON in, the host's JSON out.

import type { HookAnswer } from "../../../../actions/claim/stop-hook.js";
import { spell } from "../../../../app/command-line.js";
import type { Input } from "../../../../app/read-words.js";
import { harmless } from "../../../../app/text/harmless.js";
import { ok, step } from "../../../../app/vocabulary.js";
import { minute } from "../../text/times.js";
import type { Terminal, ViewOf } from "../../view.js";

const claims: ViewOf<"claim.list"> = {
  text: (found, style) => {
    if (found.length === 0) return style.dim("No claims.");
    const width = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));
    const [ids, names] = [width(found.map(({ id }) => id)), width(found.map(({ by }) => by))];
    return found
      .map(({ id, title, by, leaseUntil, expired }) => {
        const until = expired ? style.yellow(`expired ${minute(leaseUntil)}`) : `until ${minute(leaseUntil)}`;
        return `${style.bold(id.padEnd(ids))}  ${by.padEnd(names)}  ${until}  ${style.dim(harmless(title))}`;
      })
      .join("\n");
  },
};

const renew: ViewOf<"claim.renew"> = {
  text: ({ id, leaseUntil }, style) => `${style.bold(id)} is yours until ${minute(leaseUntil)}`,
};

const release: ViewOf<"claim.release"> = {
  text: ({ id }, style) => `${style.bold(id)} is back in the queue`,
  next: () => [step("next")],
};

const stopHook: ViewOf<"hook.stop"> = {
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

export const claimViews = {
  "claim.list": claims,
  "claim.renew": renew,
  "claim.release": release,
  "hook.stop": stopHook,
};
