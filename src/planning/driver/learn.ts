// Reads what is known around a run: the node it is about, what a person answered, records that hold, and lessons
// that fit.

import { selectMemories } from "../../model/item/memory.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { recordsFor } from "../apply/run-records.js";
import { isSettledNode, nameIn, nodesInScope } from "../apply/scope.js";
import { lastProblems } from "../calls/calls.js";
import { nodesOf, parseDraft } from "../contracts/plan-draft.js";
import { triedBefore } from "../dialogue/tried.js";
import type { RoleAsk } from "../machine/machine.js";
import type { Brief, Material } from "../roles/brief.js";
import { currentText } from "./artifacts.js";
import type { Knowledge } from "./knowledge.js";
import { earlierRuns, listRuns, type Run } from "./runs.js";
import type { PlanningServices } from "./services.js";

/** A spec fills less than half of the window: the rest is for maps, plan and code. */
export const partTokens = (windowTokens: number): number => Math.max(250, Math.floor(windowTokens * 0.4));

/** How much of the spec is compared with lessons. */
const TOPIC_LENGTH = 20_000;

export const learn = (
  { context, limits }: PlanningServices,
  run: Run,
  asked: Pick<RoleAsk, "role" | "repair">,
): Promise<Knowledge> =>
  context.store.read(async (reader) => {
    const node = run.fields.node === null ? undefined : await reader.node(run.fields.node);
    const feature = node?.feature ?? null;
    const spec = (await currentText(reader, run, "spec")) ?? "";
    const topic = { text: `${run.fields.title}\n${spec.slice(0, TOPIC_LENGTH)}`, scope: feature };
    const memories = run.intake.clean ? [] : await reader.items("memory", { state: "kept" });
    const above = node ? await reader.ancestors(node.nr) : [];
    const path = above
      .toReversed()
      .map(({ id, title }) => `${id} ${title}`)
      .join(" > ");
    return {
      node: node ? { id: node.id, tier: node.tier, title: node.title, body: node.body, path } : null,
      answers: await answersOf(reader, run),
      records: await recordsFor(reader, run),
      // The words of a spec are counted only if there is something to compare them with.
      memories: memories.length === 0 ? [] : selectMemories(topic, memories).map(({ memory }) => memory.text),
      materials: [...(await priorWork(reader, run)), ...(await triedBefore(reader, await nodesInScope(reader, run)))],
      settled: await settledNodes(reader, run),
      initiatives: node ? [] : await openInitiatives(reader),
      problems: asked.repair > 0 ? await lastProblems(reader, run.key, asked.role) : [],
      partTokens: partTokens(limits.windowTokens),
      windowTokens: limits.windowTokens,
    };
  });

/** What a person answered in this run and in those that it goes back to; the latest answer to a question counts. */
export async function answersOf(reader: Reader, run: Run): Promise<Brief["answers"]> {
  const answers = new Map<string, Brief["answers"][number]>();
  for (const each of [run, ...(await earlierRuns(reader, run))]) {
    for (const key of Object.values(each.fields.asked)) {
      const escalation = (await reader.item("escalation", key))?.fields;
      if (escalation?.kind !== "question" || !escalation.answer || answers.has(escalation.question)) continue;
      const { question, options, answer } = escalation;
      const chosen = options.find(({ id }) => id === answer.option);
      const said =
        chosen?.free === true
          ? { answer: answer.note, note: "" }
          : { answer: chosen?.label ?? answer.option, note: answer.note };
      answers.set(question, { question, ...said, ...(answer.relayed && { relayedBy: answer.by }) });
    }
  }
  return [...answers.values()];
}

/** What an earlier run from the same spec has left: its plan and its research, for reference only. */
async function priorWork(reader: Reader, run: Run): Promise<Material[]> {
  const { source } = run.intake;
  if (source === null) return [];
  const earlier = (await listRuns(reader)).find((other) => other.key !== run.key && other.intake.source === source);
  if (!earlier) return [];
  const found: Material[] = [];
  for (const [kind, name] of [
    ["plan", "Prior plan"],
    ["research", "Research report"],
  ] as const) {
    const text = await currentText(reader, earlier, kind);
    if (text !== undefined) found.push({ name: `${name} (${earlier.key}): for reference only`, text });
  }
  return found;
}

async function openInitiatives(reader: Reader): Promise<Knowledge["initiatives"]> {
  const missions = await reader.children(null);
  const children = await Promise.all(missions.map(({ nr }) => reader.children(nr)));
  return children.flat().flatMap((node) => {
    const isOpen = node.tier === "initiative" && !isSettledNode(node);
    return isOpen ? [{ id: node.id, title: node.title }] : [];
  });
}

async function settledNodes(reader: Reader, run: Run): Promise<Knowledge["settled"]> {
  const text = await currentText(reader, run, "draft");
  if (text === undefined) return [];
  const ids = nodesOf(parseDraft(text)).map(({ id }) => nameIn(run.fields.applied, id));
  const nodes = await reader.byIds(ids);
  return nodes.flatMap((node) => {
    const state = stateOf(node);
    return state === undefined ? [] : [{ id: node.id, state }];
  });
}

const stateOf = ({ outcome, claim, approval }: Node): string | undefined =>
  outcome?.kind ?? (claim ? `${claim.by} works on it` : approval ? "approved" : undefined);
