import { deriveStatus } from "../../model/status/status.js";
import { gatherSurroundings } from "../../plan/base/surroundings.js";
import { fields, type Infer, type Node, ok, optional, planVerb, type Session, text } from "../kit/verb.js";
import { forHost, fromHost, HOST_FORM, NO_CONTEXT, silently } from "./hook-answer.js";
import { calledBy, caller, isWorker } from "./hook-caller.js";
import { contextJson, typedPrompt } from "./host-json.js";
import { plainId, quotedTitle } from "./plain-line.js";
import { readPrompt } from "./prompt-verbs.js";

export const input = fields({ ...caller(), prompt: optional(text("what the user typed")) });

export const verb = planVerb({
  command: { words: "hook prompt", group: "agents" },
  summary: "Tell an agent what a prompt has to do with the plan",
  description: `For the prompt hook of a coding agent. It says nothing unless the prompt names a node of the plan by its id, or is one of the eleven verbs of the plan, such as "next" or "expand FEAT-001", and the plan could do it right now. A question never claims a task. The agent gets a line or two and goes on. ${HOST_FORM}`,
  effect: "reads",
  input,
  examples: [{ input: { prompt: "next" }, does: "says which task the plan would give out" }],
  run: (session, asked) => forHost(asked.host, promptHook(session, asked)),
  prepare: fromHost((event) => ({ prompt: typedPrompt(event) })),
  text: ({ host, context }) => JSON.stringify(contextJson("prompt", host, context)),
  rescue: silently(NO_CONTEXT),
});

export interface HookContext {
  readonly context: string | null;
}

async function promptHook(session: Session, { prompt = "", ...asked }: Infer<typeof input>) {
  const { context, caller, settings } = calledBy(session, asked);
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

const MAX_NODES_NAMED = 3;

/** Tells the agent what an id stands for, and not what to do. */
async function aboutNodes(context: Session, nodes: readonly Node[]): Promise<string> {
  const lines = await context.store.read((reader) => {
    const lineAbout = async (node: Node): Promise<string> => {
      const { status } = deriveStatus(node, await gatherSurroundings(reader, node));
      const what = `${node.tier === "initiative" ? "an" : "a"} ${node.tier} of this project's plan`;
      return `${plainId(node.id)} is ${what}, ${quotedTitle(node.title)} (${status.replace("_", " ")}).`;
    };
    return Promise.all(nodes.slice(0, MAX_NODES_NAMED).map(lineAbout));
  });
  const more = nodes.length > MAX_NODES_NAMED ? [`So are ${nodes.length - MAX_NODES_NAMED} more of the ids.`] : [];
  return [
    ...lines,
    ...more,
    "Planwright's tools `show` and `why` know more, and `do` takes a command to the plan; only the user approves and lands.",
  ].join(" ");
}
