// What applying a draft would do to the plan: shown before anything is applied.

import { idKey } from "../../model/node/ids.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { type PlanNode, taskBody } from "./plan-nodes.js";

export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface Named {
  readonly id: string;
  readonly tier: PlanNode["tier"];
  readonly title: string;
}

export interface DraftDiff {
  readonly added: readonly Named[];
  readonly changed: readonly (Named & { readonly fields: readonly FieldChange[] })[];
  /** Open nodes that the draft no longer has. */
  readonly dropped: readonly Named[];
  /** The same as before, and everything that is settled. */
  readonly kept: readonly Named[];
  /** What an approval would approve that is not approved now. */
  readonly approves?: readonly string[];
}

type Wanted = Named & { readonly fields: Readonly<Record<string, unknown>> };

/** `nodes`: those of the branch that is planned again. */
export function diffDraft(nodes: readonly PlanNode[], draft: PlanDraft): DraftDiff {
  const old = new Map(nodes.map((node) => [idKey(node.id), node]));
  const wanted = wantedOf(draft);
  const added: Named[] = [];
  const changed: (Named & { fields: FieldChange[] })[] = [];
  const kept: Named[] = [];
  for (const { fields, ...named } of wanted) {
    const node = old.get(idKey(named.id));
    if (!node) {
      added.push(named);
      continue;
    }
    const changes = node.settled ? [] : changesOf(node, fields);
    if (changes.length === 0) kept.push(nameOf(node));
    else changed.push({ ...named, fields: changes });
  }
  const stays = new Set(wanted.map(({ id }) => idKey(id)));
  const others = nodes.filter(({ id, tier, kind }) => !stays.has(idKey(id)) && isPlanned(tier) && kind !== "land");
  const dropped = others.filter(({ settled }) => !settled).map(nameOf);
  return { added, changed, dropped, kept: [...kept, ...others.filter(({ settled }) => settled).map(nameOf)] };
}

const isPlanned = (tier: PlanNode["tier"]): boolean => tier !== "mission";

const nameOf = ({ id, tier, title }: PlanNode): Named => ({ id, tier, title });

/** Fields that a draft leaves out are left as they are. */
function wantedOf(draft: PlanDraft): Wanted[] {
  return [
    ...draft.initiatives.map(
      ({ id, title, body }): Wanted => ({ id, tier: "initiative", title, fields: { title, body } }),
    ),
    ...draft.features.map(
      ({ id, title, body, parent }): Wanted => ({ id, tier: "feature", title, fields: { title, body, parent } }),
    ),
    ...draft.stories.map(
      ({ id, title, body, feature }): Wanted => ({
        id,
        tier: "story",
        title,
        fields: { title, body, parent: feature },
      }),
    ),
    ...draft.tasks.map((task): Wanted => {
      const { id, title, parent, kind, dependsOn, files, symbols, checks, profile, priority, estimateHours } = task;
      const paths = files.map(({ path }) => path);
      const fields = {
        title,
        body: taskBody(task),
        parent,
        kind,
        dependsOn,
        files: paths,
        symbols,
        checks,
        profile,
        priority,
        estimateHours,
      };
      return { id, tier: "task", title, fields };
    }),
  ];
}

function changesOf(node: PlanNode, fields: Readonly<Record<string, unknown>>): FieldChange[] {
  const before: Readonly<Record<string, unknown>> = { ...node };
  return Object.entries(fields)
    .filter(([field, after]) => after !== undefined && !same(field, before[field], after))
    .map(([field, after]) => ({ field, before: before[field], after }));
}

/** Lists of names say the same in any order, ids in any case. */
function same(field: string, before: unknown, after: unknown): boolean {
  return canonical(field, before) === canonical(field, after);
}

function canonical(field: string, value: unknown): string {
  if (field === "parent") return typeof value === "string" ? idKey(value) : "";
  if (field === "dependsOn") return JSON.stringify([...new Set((value as readonly string[]).map(idKey))].sort());
  if (field === "files" || field === "symbols") return JSON.stringify([...new Set(value as readonly string[])].sort());
  if (field !== "checks") return JSON.stringify(value) ?? "";
  return JSON.stringify(
    (value as readonly object[]).map((check) => Object.entries(check).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}
