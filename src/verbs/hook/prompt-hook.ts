// A message to a coding agent that may be for the plan: the agent is told what the plan has to do with it, in a line or two, and goes on.
// It runs a command itself, so whatever it claims is claimed in its own name, and its tools keep the token. Of every other message
// nothing is said at all.

import type { Node } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { deriveStatus } from "../../model/status/status.js";
import { gatherSurroundings } from "../../plan/holds/gather-surroundings.js";
import type { Session } from "../kit/session.js";
import { calledBy, type HookInput, isWorker } from "./hook-caller.js";
import { plainId, quotedTitle } from "./plain-line.js";
import { readPrompt } from "./prompt-verbs.js";

export interface HookContext {
  /** What the agent is told. Null: nothing. */
  readonly context: string | null;
}

export async function promptHook(
  session: Session,
  { prompt, ...input }: HookInput & { readonly prompt: string },
): Promise<Result<HookContext>> {
  const { context, caller, settings } = calledBy(session, input);
  if (!settings.routing || isWorker(session)) return ok({ context: null });
  const { names, command } = readPrompt(prompt);
  const nodes = names.length === 0 ? [] : await context.store.read((reader) => reader.byIds(names));
  if (command !== null) {
    // Loaded only here: hardly any message is a command.
    const { describeCommand } = await import("./prompt-command.js");
    const said = await describeCommand({ context, caller, nodes }, command);
    if (said !== null) return ok({ context: said });
  }
  return ok({ context: nodes.length === 0 ? null : await aboutNodes(context, nodes) });
}

const MOST_NAMED = 3;

/** So that the agent need not guess what an id stands for. It says nothing about what to do. */
async function aboutNodes(context: Session, nodes: readonly Node[]): Promise<string> {
  const lines = await context.store.read(async (reader) => {
    const named: string[] = [];
    for (const node of nodes.slice(0, MOST_NAMED)) {
      const { status } = deriveStatus(node, await gatherSurroundings(reader, node));
      const what = `${node.tier === "initiative" ? "an" : "a"} ${node.tier}`;
      named.push(
        `${plainId(node.id)} is ${what} of this project's plan, ${quotedTitle(node.title)} (${status.replace("_", " ")}).`,
      );
    }
    return named;
  });
  const more = nodes.length > MOST_NAMED ? [`So are ${nodes.length - MOST_NAMED} more of the ids.`] : [];
  return [
    ...lines,
    ...more,
    "Planwright's tools `show` and `why` know more, and `do` takes a command to the plan; only the user approves and lands.",
  ].join(" ");
}
