import { count, emptyTally, type Tally } from "../../model/status/status.js";
import { countTasks } from "../../plan/overview/standings.js";
import { waiting } from "../../plan/overview/waiting.js";
import { spell } from "../kit/spell.js";
import { fields, type NextStep, type Node, ok, planVerb, type Session, step } from "../kit/verb.js";
import { readFocus } from "../node/focus.js";
import { calledBy, caller, type HookInput, tasksOfCaller } from "./hook-caller.js";
import { mostTokens, plainId, quotedTitle } from "./plain-line.js";

export const input = fields(caller());

export const verb = planVerb({
  command: { words: "prime", group: "agents" },
  summary: "Tell an agent what it has to know of the plan",
  description:
    "A few lines, at most 150 tokens: what the agent has claimed, what is in focus, what waits for you, and the next step. Hooks show it when a conversation begins and after it was compacted.",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "prints the lines" }],
  run: prime,
  text: ({ text }) => text,
});

type PrimedNode = Pick<Node, "id" | "title">;

interface Prime {
  readonly mission: PrimedNode | null;
  readonly claimed: readonly PrimedNode[];
  readonly focus: PrimedNode | null;
  readonly counts: Tally;
  readonly waiting: number;
  readonly next: readonly NextStep[];
}

export async function prime(session: Session, input: HookInput) {
  const { context, caller } = calledBy(session, input);
  const claimed = (await tasksOfCaller(context, caller)).map(named);
  const focus = await readFocus(context);
  if (!focus.ok) return focus;
  const list = await waiting(context, { limit: 0, plain: true });
  if (!list.ok) return list;
  const { mission, counts } = await context.store.read(async (reader) => {
    const tally = emptyTally();
    for (const { tasks, ...standing } of await countTasks(reader)) count(tally, standing, tasks);
    const [first] = await reader.children(null);
    return { mission: first ? named(first) : null, counts: tally };
  });
  const node = focus.value.node;
  const facts = { mission, claimed, focus: node ? named(node) : null, counts, waiting: list.value.total };
  const answer = { ...facts, next: nextSteps(facts) };
  return ok({ ...answer, text: primeText(answer) });
}

const named = ({ id, title }: PrimedNode): PrimedNode => ({ id, title });

function nextSteps({ claimed, counts, waiting: waits }: Omit<Prime, "next">): NextStep[] {
  const [first] = claimed;
  if (first) return [step("complete", { reference: first.id })];
  if (counts.ready > 0) return [step("next")];
  return waits > 0 ? [step("waiting")] : [step("status")];
}

const MAX_TOKENS = 140;

/** Leaves out what matters least if the plan has long names. */
export function primeText(facts: Prime): string {
  const shorter = { ...facts, mission: null };
  const texts = [facts, shorter, { ...shorter, focus: null }].map(linesOf);
  return texts.find((text) => mostTokens(text) <= MAX_TOKENS) ?? texts.at(-1) ?? "";
}

function linesOf({ mission, claimed, focus, counts, waiting: waits, next }: Prime): string {
  const [own, ...others] = claimed;
  const also = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const lines = [
    `Planwright keeps this project's plan${mission ? ` ${quotedTitle(mission.title)}` : ""}: ${counts.ready} ready, ${counts.inProgress} in progress, ${counts.finished} done.`,
    own && `You have claimed ${nameOf(own)}${also} and not handed it in.`,
    focus && focus.id !== own?.id && `In focus: ${nameOf(focus)}.`,
    waits > 0 && `Waiting for the user: ${waits}.`,
    next[0] && `Next: \`${spell({ ...next[0], input: plainInput(next[0].input) })}\`.`,
    `The plan counts, not your memory: when unsure, ask (\`${spell(step("why", {}, "reference"))}\`).`,
  ];
  return lines.filter((line) => typeof line === "string").join("\n");
}

const nameOf = ({ id, title }: PrimedNode): string => `${plainId(id)} ${quotedTitle(title)}`;

const plainInput = (input: NextStep["input"]): NextStep["input"] =>
  Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, typeof value === "string" ? plainId(value) : value]),
  );
