// Every code of the conformance lint: its worst grade, what it means, and whether `lint --fix` can fix it.
// docs/reference/lint-codes.md shows this table to users. And what every rule looks at, indexed once.

import type { PlanRecord } from "../../model/item/record.js";
import { idKey } from "../../model/node/ids.js";
import type { Grade, LintFinding, LintLevel } from "../contracts/findings.js";
import { type Behaviour, behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { type Sequence, sequenceShape } from "../draft/sequence.js";
import { type Shape, shapeOf } from "../draft/shape.js";
import type { Spec } from "../spec/spec.js";

interface Rule {
  readonly grade: Grade;
  readonly meaning: string;
  /** `lint --fix` fixes some or all of its findings. */
  readonly fix: boolean;
}

const rule = (grade: Grade, meaning: string, fix: "fix" | "" = ""): Rule => ({ grade, meaning, fix: fix === "fix" });

export const RULES = {
  "P-SCHEMA": rule("unreadable", "The plan does not have the required form."),
  "P-NO-TASKS": rule("unreadable", "The plan has no task, so there is nothing to judge."),
  "P-ID": rule("error", "Two nodes have the same id."),
  "P-PARENT": rule("error", "The parent of a node does not exist or cannot contain it.", "fix"),
  "P-OUTSIDE": rule("error", "A node is not below the node that is being planned."),
  "P-DEPENDENCY": rule("error", "A task depends on something that does not exist.", "fix"),
  "P-KINSHIP": rule("error", "A task depends on itself or on a node that contains it.", "fix"),
  "P-CYCLE": rule("error", "Something waits for itself through dependencies, containment and landings."),
  "P-EMPTY": rule("error", "A feature or story has no task, or an initiative has no feature."),
  "P-REPEAT": rule("remark", "A task names a dependency, file, check or quote twice.", "fix"),
  "P-DECISION": rule("warning", "A decision names a task that does not exist."),
  "P-QUOTE": rule("error", "A quote does not occur in the spec.", "fix"),
  "P-REQUIREMENT": rule("error", "No task covers a requirement id of the spec, and it is not left out on purpose."),
  "P-REQUIREMENT-ID": rule("warning", "A task names a requirement id that the spec does not have."),
  "P-COVERAGE": rule("warning", "The spec says something that no task covers."),
  "P-MAP-ID": rule("error", "Two parts of the capability map have the same id."),
  "P-BEHAVIOUR": rule("error", "No task contains a behaviour of the capability map."),
  "P-BEHAVIOUR-ID": rule("error", "Something names a behaviour that the capability map does not have.", "fix"),
  "P-FLOW": rule("error", "A step of a flow is not a behaviour."),
  "P-STEEL-FLOW": rule("error", "There must be exactly one flow that is the steel thread."),
  "P-FILES": rule("error", "A behaviour has no files. A warning if the outline planner found none in the spec."),
  "P-FILE-UNUSED": rule("remark", "No task names a file of the file map."),
  "P-CHECK": rule(
    "error",
    "A task has no runnable check. A warning if the whole plan has none, or if the plan says only what its spec says.",
  ),
  "P-TOOL": rule("warning", "A check names a program that is not installed here."),
  "P-SCRIPT": rule("warning", "A check runs a file or script that neither the repository nor the plan has."),
  "P-DANGER": rule("error", "A check would destroy something, publish something, or leave the workspace."),
  "P-TESTS": rule(
    "error",
    "The plan has no test at all. A warning if it has checks but none of them tests, or if the outline planner found none in the spec.",
  ),
  "P-LARGE": rule("warning", "A task is large (files, kinds of work or hours) and does not say why."),
  "P-SMALL": rule("warning", "Several tiny tasks in a row touch the same files."),
  "P-OVERLAP": rule("warning", "Tasks that could run together touch the same files.", "fix"),
  "P-PROFILE": rule("remark", "A task has no profile although its files show one.", "fix"),
  "P-STEEL": rule("error", "The steel thread is missing, or leaves out steps of its flow."),
  "P-STEEL-APART": rule("error", "The steel thread is not connected."),
  "P-STEEL-LATE": rule("error", "The steel thread comes too late in the order."),
  "P-VAGUE": rule("warning", "A text does not say what has to be done."),
  "P-SPACES": rule("remark", "A text begins or ends with spaces.", "fix"),
  "P-TARGET": rule("warning", "A task creates a file outside of the folder that the code goes to."),
  "P-CONSTRAINT": rule("error", "The plan contradicts an active constraint."),
  "P-MEASURE": rule("warning", "No task or check mentions an active requirement."),
} as const satisfies Readonly<Record<string, Rule>>;

export type LintCode = keyof typeof RULES;

export const LINT_CODES = Object.keys(RULES) as LintCode[];

interface FindingExtras {
  /** Only where it is less grave than the code usually is. */
  readonly grade?: Grade;
  readonly fixable?: boolean;
}

export const finding = (
  code: LintCode,
  where: string,
  message: string,
  suggestion: string,
  { grade, fixable = false }: FindingExtras = {},
): LintFinding => ({ code, grade: grade ?? RULES[code].grade, where, message, suggestion, fixable });

const NAMES_LISTED = 10;

/** Names for a sentence; the rest is counted, so that no message grows without end. */
export const names = (all: readonly string[], limit = NAMES_LISTED): string =>
  all.length <= limit ? all.join(", ") : `${all.slice(0, limit).join(", ")} and ${all.length - limit} more`;

export interface LintInput {
  readonly draft: PlanDraft;
  readonly map?: CapabilityMap | undefined;
  readonly files?: FileMap | undefined;
  readonly spec?: Spec | undefined;
  /** What earlier runs knew: settled tasks, what behaviours are about, and other words that may be quoted. */
  readonly earlier?:
    | { readonly map?: CapabilityMap | undefined; readonly tasks: readonly DraftTask[]; readonly text?: Spec }
    | undefined;
  /** Only what these tasks took up has to be taken up; left out, the whole spec has. */
  readonly before?: readonly DraftTask[] | undefined;
  /** Nodes of the draft that would not be below the node that is planned. */
  readonly outside?: { readonly root: string; readonly ids: readonly string[] } | undefined;
  /** Only active ones bind. */
  readonly records?: readonly { readonly key: string; readonly record: PlanRecord }[] | undefined;
  /** The folder that a person asked the code to go to. */
  readonly target?: string | null | undefined;
  /** Ids of the plan that the draft may refer to. */
  readonly existing?: ReadonlySet<string> | undefined;
  /** Whether one of those can contain such a node: it is open, and of a higher tier. Left out if it was not looked up. */
  readonly mayHold?: ((parent: string, child: "feature" | "story" | "task") => boolean) | undefined;
  hasTool(name: string): boolean;
  readonly repositoryFiles?: ReadonlySet<string> | undefined;
  /** What `npm run` knows; left out if it was not looked up. */
  readonly scripts?: ReadonlySet<string> | undefined;
  readonly level: LintLevel;
  /** The outline planner says what the spec states and invents nothing: what the spec leaves open is then no error. */
  readonly asStated?: boolean | undefined;
  /** `quick`: small work, without the capability and file stages. */
  readonly mode: "full" | "quick";
}

export interface LintContext extends LintInput {
  readonly shape: Shape;
  readonly sequence: Sequence;
  /** Ids of the plan in lower case, to the way they are written. */
  readonly around: ReadonlyMap<string, string>;
  readonly behaviours: ReadonlyMap<string, Behaviour>;
  /** Behaviours that some task names. */
  readonly covered: ReadonlySet<string>;
  /** `work` tasks: the ones that an agent does. */
  readonly work: readonly DraftTask[];
}

export type LintRule = (look: LintContext) => Iterable<LintFinding>;

export function lintContext(input: LintInput): LintContext {
  const shape = shapeOf(input.draft);
  return {
    ...input,
    // A method does not survive being spread from a class.
    hasTool: (name) => input.hasTool(name),
    shape,
    sequence: sequenceShape(shape),
    around: new Map([...(input.existing ?? [])].map((id) => [idKey(id), id])),
    behaviours: new Map((input.map ? behavioursOf(input.map) : []).map((behaviour) => [behaviour.id, behaviour])),
    covered: new Set(input.draft.tasks.flatMap(({ behaviours }) => behaviours)),
    work: input.draft.tasks.filter(({ kind }) => kind === "work"),
  };
}

export const quoted = (title: string, limit = 60): string =>
  `"${title.length <= limit ? title : `${title.slice(0, limit - 1)}…`}"`;
