// Everything that a role may read in one call. Programs (the outline planner) read it as it is; agents get it
// as a prompt (prompt.ts).

import type { PlanRecord } from "../../model/item/record.js";
import type { CapabilityMap } from "../contracts/capability-map.js";
import type { Clarification } from "../contracts/clarification.js";
import type { FileMap } from "../contracts/file-map.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import type { Research } from "../contracts/research.js";
import type { AnsweredFinding } from "../dialogue/responses.js";
import type { Role, Source, Stage } from "../machine/machine.js";
import type { Spec } from "../spec/spec.js";

/** What one of the judges said in the latest round. */
export interface Feedback {
  readonly source: Source;
  readonly round: number;
  readonly findings: readonly unknown[];
  readonly questions: readonly unknown[];
  readonly note: string;
}

/** A text of the person or the project that a plan has to respect. */
export interface Material {
  readonly name: string;
  readonly text: string;
}

export interface GivenAnswer {
  readonly question: string;
  readonly answer: string;
  readonly note: string;
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
  readonly node: {
    readonly id: string;
    readonly tier: string;
    readonly title: string;
    readonly body: string;
    readonly path: string;
  } | null;
  readonly clarification: Clarification | null;
  /** What the person answered, by question. */
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
  /** What the author answered to the findings of this very reviewer. */
  readonly responses: readonly AnsweredFinding[];
  /** What this very reviewer handed in before. */
  readonly earlier: Feedback | null;
  readonly records: readonly { readonly key: string; readonly record: PlanRecord }[];
  readonly memories: readonly string[];
  /** The person's preferences, a roadmap, a prior plan, a research report. */
  readonly materials: readonly Material[];
  /** The commit whose files the role reads; null if it reads files as they are. */
  readonly commit: string | null;
  readonly repositoryFiles: readonly string[];
  /** Commands that test this repository, as far as a program can tell. */
  readonly commands: readonly { readonly purpose: string; readonly run: string }[];
  /** What was wrong with the last reply, if it was sent back. */
  readonly problems: readonly string[];
}
