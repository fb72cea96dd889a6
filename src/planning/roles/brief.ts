// Everything that a role may read in one call. Programs (the outline planner) read it as it is; agents get it as a prompt
// (prompt.ts), and look up by name what the prompt does not show whole.

import type { LookUp } from "../../machine/agents/agent.js";
import type { PlanRecord } from "../../model/item/record.js";
import type { Clarification, Research } from "../contracts/answers.js";
import type { AnsweredFinding, Feedback } from "../contracts/findings.js";
import type { CapabilityMap, FileMap } from "../contracts/maps.js";
import { nodesOf, type PlanDraft } from "../contracts/plan-draft.js";
import type { Role, Stage } from "../machine/machine.js";
import type { Material } from "../project.js";
import { parseSpec } from "../spec/parse.js";
import type { Spec } from "../spec/spec.js";
import { json } from "./call-budget.js";

interface GivenAnswer extends Readonly<Record<"question" | "answer" | "note", string>> {
  /** The agent that passed it on, if the person did not give it to us. */
  readonly relayedBy?: string;
}

export interface Brief {
  readonly role: Role;
  readonly stage: Stage;
  readonly revise: boolean;
  readonly round: number;
  /** The spec, or the part of it that this call is about. */
  readonly spec: Spec;
  readonly part: { readonly number: number; readonly of: number };
  /** Ids of the nodes that this call judges, when the plan is judged part by part. */
  readonly focus: readonly string[] | null;
  /** How much one call may hold, roughly. */
  readonly windowTokens: number;
  readonly stack: string | null;
  readonly target: string | null;
  /** The node that is expanded or revised, with its path. */
  readonly node: Readonly<Record<"id" | "tier" | "title" | "body" | "path", string>> | null;
  readonly clarification: Clarification | null;
  readonly answers: readonly GivenAnswer[];
  readonly research: Research | null;
  readonly map: CapabilityMap | null;
  readonly files: FileMap | null;
  readonly draft: PlanDraft | null;
  /** The author of this run wrote the draft as it is, so its conversation knows it. */
  readonly ownDraft: boolean;
  /** Nodes of the draft that are done, approved or in progress: not the author's to change without a reason. */
  readonly settled: readonly { readonly id: string; readonly state: string }[];
  /** Open initiatives of the plan, for features to belong to; none where one node is planned. */
  readonly initiatives: readonly { readonly id: string; readonly title: string }[];
  readonly feedback: readonly Feedback[];
  /** What the author answered to the findings of the critic. An overviewer knows of none. */
  readonly responses: readonly AnsweredFinding[];
  /** What this very reviewer handed in before. */
  readonly earlier: Feedback | null;
  readonly records: readonly { readonly key: string; readonly record: PlanRecord }[];
  readonly lessons: readonly string[];
  /** The person's preferences, a roadmap, a prior plan, a research report. */
  readonly materials: readonly Material[];
  /** The commit whose files the role reads; null if it reads files as they are. */
  readonly commit: string | null;
  readonly repositoryFiles: readonly string[];
  readonly commands: readonly { readonly purpose: string; readonly run: string }[];
  readonly problems: readonly string[];
}

const UNSEEN = {
  map: null,
  files: null,
  feedback: [],
  node: null,
  clarification: null,
  lessons: [],
  research: null,
  settled: [],
  initiatives: [],
  earlier: null,
  responses: [],
} satisfies Partial<Brief>;

const NO_SPEC = parseSpec("");

const isHistory = ({ name }: Brief["materials"][number]): boolean => /^(Prior plan|Research)/.test(name);

/** What is not shown costs no tokens. */
export const seenBy = (brief: Brief): Brief =>
  brief.role === "overviewer"
    ? { ...brief, ...UNSEEN, spec: NO_SPEC, materials: brief.materials.filter((material) => !isHistory(material)) }
    : brief;

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value === "" ? undefined : value;
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : json(value);
};

function partsByName(brief: Brief): [name: string, text: string | undefined][] {
  const { spec, draft, clarification, feedback, materials, map, files, node, initiatives, answers } = brief;
  const { records, lessons, research, settled, earlier, responses } = brief;
  const assumptions = clarification?.assumptions;
  const parts = { spec: spec.text, map, files, plan: draft, node, initiatives, answers, assumptions, records, lessons };
  return [
    ...Object.entries({ ...parts, research, settled, earlier, responses }),
    ...feedback.map((said): [string, unknown] => [`feedback ${said.source}`, said]),
    ...materials.map(({ name, text }): [string, unknown] => [name, text]),
  ].map(([name, value]) => [name, textOf(value)]);
}

function textsById({ draft, records, spec }: Brief): [id: string, text: string][] {
  const nodes = draft === null ? [] : nodesOf(draft);
  return [
    ...spec.sections.map(({ id, start, end }): [string, string] => [id, spec.text.slice(start, end)]),
    ...records.map(({ key, record }): [string, string] => [key, json(record)]),
    ...nodes.map((node): [string, string] => [node.id, json(node)]),
  ];
}

/** An agent in a read-only session may run no command, so it gets this through a tool. Only what the role may know: fresh eyes find no history here either. */
export const lookUpIn =
  (brief: Brief): LookUp =>
  (name) => {
    const seen = seenBy(brief);
    // A word of ours stands for a part, whatever ids a plan has.
    const known = [...textsById(seen), ...partsByName(seen)];
    return known.findLast(([called]) => called.toLowerCase() === name.toLowerCase())?.[1];
  };
