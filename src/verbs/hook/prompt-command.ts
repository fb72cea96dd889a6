// A message that is a command to the plan: whether the plan could do it right now as it was typed, and what it would do.

import type { Node } from "../../model/node/node.js";
import { isTurnable, judgesWork } from "../../model/operation/undo.js";
import { spendReplan, toDrop } from "../../model/rules/give-up.js";
import { isSettled } from "../../model/status/rollup.js";
import { focusKey } from "../../plan/base/focus.js";
import { branchOf } from "../../plan/node/branch.js";
import { mayGiveUp } from "../../plan/node/require-person.js";
import { undoable } from "../history/take-back.js";
import { parseInput } from "../kit/schema.js";
import type { Session } from "../kit/session.js";
import { spellWords } from "../kit/spell.js";
import { plural } from "../kit/wording.js";
import { verbs } from "../look/verbs.js";
import { type Routed, route } from "../router/route.js";
import { peek } from "../task/next.js";
import { type HookCaller, tasksOfCaller } from "./hook-caller.js";
import { plainId, plainLine, quotedTitle } from "./plain-line.js";
import { type Precondition, type PromptCommand, preconditionOf } from "./prompt-verbs.js";

export interface PromptContext {
  readonly context: Session;
  readonly caller: HookCaller;
  readonly nodes: readonly Node[];
}

const MAX_COMMAND_TOKENS = 80;

/** Null if the plan could not do it now as it was typed. */
export async function describeCommand(asked: PromptContext, command: PromptCommand): Promise<string | null> {
  const precondition = preconditionOf(command, asked.nodes.length > 0);
  if (precondition === "never") return null;
  const routed = await asTyped(asked, command);
  const would = routed && (await EFFECTS[precondition](asked, routed));
  if (!routed || would === null) return null;
  const line = plainLine(spellWords(routed.words), MAX_COMMAND_TOKENS);
  if (command.isAlone && !command.hasPrefix) {
    return `"${command.verb.verb}" is also a command to this project's plan: \`${line}\` ${would}. If the user means the plan, run it with Planwright's tool \`do\`; if not, go on as usual.`;
  }
  return `The user gives this project's plan a command: \`${line}\` ${would}. Run it with Planwright's tool \`do\`, with these words, and go on from its answer.`;
}

/** Only a command that is typed as such and has all that it needs; the router also understands other words. */
async function asTyped({ context, nodes }: PromptContext, { verb, text }: PromptCommand): Promise<Routed | null> {
  const routed = await route(context, text);
  if (!routed.ok || routed.value.stage !== 1 || routed.value.operation !== verb.operation) return null;
  const operation = await context.load(verb.operation);
  return parseInput(operation.input, routed.value.input).ok && namesOnly(nodes, routed.value) ? routed.value : null;
}

function namesOnly(nodes: readonly Node[], { input }: Routed): boolean {
  const ids = new Set(nodes.map(({ id }) => id.toLowerCase()));
  const named = [input["reference"] ?? [], input["references"] ?? [], input["in"] ?? []].flat();
  return named.every((each) => typeof each === "string" && ids.has(each.toLowerCase()));
}

type Effect = (asked: PromptContext, routed: Routed) => Promise<string | null>;

const summaryText = ({ summary }: Routed): string => `(${summary})`;

const summaryIf =
  (isSo: (asked: PromptContext, routed: Routed) => Promise<boolean>): Effect =>
  async (asked, routed) =>
    (await isSo(asked, routed)) ? summaryText(routed) : null;

async function openConflicts({ context }: PromptContext): Promise<string | null> {
  const { length } = await context.store.read((reader) => reader.items("conflict", { state: "open" }));
  return length === 0 ? null : `lists ${plural(length, "open conflict")}`;
}

/** Among so many a task that was named is looked for; beyond them the hook says nothing. */
const MAX_READY_TASKS = 1000;

async function claimed({ context, caller, nodes }: PromptContext): Promise<string | null> {
  if ((await tasksOfCaller(context, caller)).length > 0) return null;
  const [named] = nodes;
  const found =
    named?.tier === "task"
      ? await peek(context, { count: MAX_READY_TASKS })
      : await peek(context, named === undefined ? {} : { in: named.id });
  const ready = found.ok ? found.value : [];
  const task = named?.tier === "task" ? ready.find(({ id }) => id === named.id) : ready[0];
  return task === undefined ? null : `would claim ${plainId(task.id)} ${quotedTitle(task.title)}`;
}

/** The agent's own latest operation: not work that it handed in, and nothing that others have built on since. */
async function nextUndo({ context, nodes }: PromptContext, { input }: Routed): Promise<string | null> {
  const reference = nodes[0]?.id;
  const found = await undoable(context, reference);
  const { operation: asked } = input;
  const isAsked = ({ op }: { readonly op: number }): boolean =>
    reference !== undefined || asked === undefined || String(op) === asked;
  const last = found.ok ? found.value.find(isAsked) : undefined;
  if (last === undefined || last.refused !== null) return null;
  const isFree = await context.store.read(async (reader) => {
    const operation = await reader.operation(last.op);
    if (operation === undefined || !isTurnable(operation) || judgesWork(await reader.changes(last.op))) return false;
    const later = await reader.operations({ overlaps: last.op, after: last.op, state: "standing", limit: 1 });
    return later.length === 0;
  });
  return isFree ? `would undo operation ${last.op} ("${plainLine(last.sentence, MAX_SENTENCE_TOKENS)}")` : null;
}

const MAX_SENTENCE_TOKENS = 24;

const hasTaskInFocus = ({ context }: PromptContext): Promise<boolean> =>
  context.store.read(async (reader) => {
    const nr = await reader.focus(focusKey(context));
    return nr !== null && (await reader.node(nr))?.tier === "task";
  });

const isPlannable = (node: Node): boolean => node.tier !== "mission" && node.tier !== "task" && !isSettled(node);

const areReplannable = ({ context, nodes }: PromptContext): Promise<boolean> =>
  context.store.read(async (reader) => {
    for (const node of nodes) {
      if (!isPlannable(node) || !spendReplan(node, context.settings.replans).ok) return false;
      const dropped = toDrop(await branchOf(reader, node), ({ nr }) => nr !== node.nr);
      if (!mayGiveUp(context.actor, dropped).ok) return false;
    }
    return true;
  });

async function areAllowed({ context, nodes }: PromptContext, { operation }: Routed): Promise<boolean> {
  for (const { id } of nodes) {
    const offered = await verbs(context, id);
    const isOffered =
      offered.ok &&
      offered.value.verbs.some(({ next, refused }) => next[0]?.operation === operation && refused === null);
    if (!isOffered) return false;
  }
  return true;
}

/** What a command would do, as the end of a sentence. Null if it could not be done now. */
const EFFECTS: Readonly<Record<Precondition, Effect>> = {
  never: async () => null,
  always: async (_, routed) => summaryText(routed),
  claimable: claimed,
  undoable: nextUndo,
  "in-conflict": openConflicts,
  focused: summaryIf(hasTaskInFocus),
  plannable: summaryIf(async ({ nodes }) => nodes.every(isPlannable)),
  replannable: summaryIf(areReplannable),
  allowed: summaryIf(areAllowed),
};
