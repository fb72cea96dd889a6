// What every rule of the conformance lint looks at, indexed once.

import type { PlanRecord } from "../../model/item/record.js";
import { idKey } from "../../model/node/ids.js";
import { firstOf } from "../../model/words.js";
import type { LintFinding, LintLevel } from "../contracts/findings.js";
import { type Behaviour, behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { type Sequence, sequenceShape } from "../draft/sequence.js";
import { type Shape, shapeOf } from "../draft/shape.js";
import type { Spec } from "../spec/spec.js";

const MAX_NAMES = 10;

/** Names for a sentence; the rest is counted, so that no message grows without end. */
export const names = (all: readonly string[], limit = MAX_NAMES): string => firstOf(all, limit);

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
  readonly hasTool: (name: string) => boolean;
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
  readonly known: KnownIds;
  readonly behaviours: ReadonlyMap<string, Behaviour>;
  /** Behaviours that some task names. */
  readonly covered: ReadonlySet<string>;
  /** `work` tasks: the ones that an agent does. */
  readonly work: readonly DraftTask[];
}

/** What an id names, by its lower case: a node of the draft, or else one of the plan around it. */
export function knownIds({ tasks, stories, features, initiatives }: PlanDraft, existing: Iterable<string> = []) {
  const tiers = [
    ["task", tasks.map(({ id }) => id)],
    ["story", stories.map(({ id }) => id)],
    ["feature", features.map(({ id }) => id)],
    ["initiative", initiatives.map(({ id }) => id)],
    ["around", existing],
  ] as const;
  const known = new Map<string, { readonly id: string; readonly tier: (typeof tiers)[number][0] }>();
  for (const [tier, ids] of tiers) {
    for (const id of ids) if (!known.has(idKey(id))) known.set(idKey(id), { id, tier });
  }
  return known;
}

export type KnownIds = ReturnType<typeof knownIds>;

export type LintRule = (look: LintContext) => Iterable<LintFinding>;

export function lintContext(input: LintInput): LintContext {
  const shape = shapeOf(input.draft);
  return {
    ...input,
    shape,
    sequence: sequenceShape(shape),
    known: knownIds(input.draft, input.existing),
    behaviours: new Map((input.map ? behavioursOf(input.map) : []).map((behaviour) => [behaviour.id, behaviour])),
    covered: new Set(input.draft.tasks.flatMap(({ behaviours }) => behaviours)),
    work: input.draft.tasks.filter(({ kind }) => kind === "work"),
  };
}

export const quoted = (title: string, limit = 60): string =>
  `"${title.length <= limit ? title : `${title.slice(0, limit - 1)}…`}"`;

/** How to fix what is only spelled wrong. */
export const rewritten = (right: string): Pick<LintFinding, "suggestion" | "fixable"> => ({
  suggestion: `Write ${right}.`,
  fixable: true,
});
