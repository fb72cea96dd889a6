// A feature that landed in one clone may have got work in another one that the landing did not know: it has to land once more.

import { landId, landTitle, landUuid } from "../rules/land.js";
import {
  idOf,
  isArchived,
  isInbox,
  kindOf,
  type MergedNode,
  type MergedNodes,
  outcomeOf,
  parentUuid,
  presentNodes,
  tierOf,
  titleOf,
} from "./merged-node.js";
import { byTime, type SharedOperation, saw } from "./shared-operation.js";

/** Finished by an operation that no landing of its feature knew: where a node is done, by whom no one landed it. */
const isUnlanded = (task: MergedNode, lands: readonly MergedNode[]): boolean => {
  const { finish } = task;
  if (finish === null || kindOf(task) !== "work" || outcomeOf(task)?.kind !== "done") return false;
  return !lands.some((land) => land.finish !== null && (land.finish === finish || saw(land.finish, finish)));
};

interface FeatureWork {
  readonly feature: MergedNode;
  readonly lands: readonly MergedNode[];
  readonly tasks: readonly MergedNode[];
}

function workByFeature(nodes: MergedNodes): readonly FeatureWork[] {
  const work = new Map<string, { feature: MergedNode; lands: MergedNode[]; tasks: MergedNode[] }>();
  const all = presentNodes(nodes);
  for (const node of all) if (tierOf(node) === "feature") work.set(node.uuid, { feature: node, lands: [], tasks: [] });
  for (const node of all) {
    if (tierOf(node) !== "task") continue;
    let at: string | null = parentUuid(node);
    while (at !== null && !work.has(at)) at = parentUuid(nodes.get(at) as MergedNode);
    const found = at === null ? undefined : work.get(at);
    found?.[kindOf(node) === "land" ? "lands" : "tasks"].push(node);
  }
  return [...work.values()];
}

export function landsToAdd(nodes: MergedNodes): readonly MergedNode[] {
  return workByFeature(nodes).flatMap((work) => {
    const { feature, lands, tasks } = work;
    const isOver = isInbox(feature) || isArchived(feature) || outcomeOf(feature) !== null;
    if (isOver || lands.some((land) => outcomeOf(land) === null)) return [];
    const kept = tasks.some((task) => outcomeOf(task) === null) ? goneLand(nodes, feature) : undefined;
    if (kept) return [{ ...kept, isThere: true }];
    if (lands.length === 0) return [];
    const causes = tasks.flatMap((task) => causeOf(task, lands));
    const cause = causes.sort(byTime).at(-1);
    return cause ? [newLand(nodes, work, cause)] : [];
  });
}

/** A person took it away without knowing of the work that others put into the feature. */
const goneLand = (nodes: MergedNodes, feature: MergedNode): MergedNode | undefined =>
  [...nodes.values()]
    .filter((node) => node.birth !== null && !node.isThere && kindOf(node) === "land" && outcomeOf(node) === null)
    .find((node) => parentUuid(node) === feature.uuid);

function causeOf(task: MergedNode, lands: readonly MergedNode[]): SharedOperation[] {
  if (isUnlanded(task, lands)) return [task.finish as SharedOperation];
  return outcomeOf(task) === null && !isArchived(task) ? [task.birth as SharedOperation] : [];
}

function newLand(nodes: MergedNodes, { feature, lands }: FeatureWork, cause: SharedOperation): MergedNode {
  let earlier = lands.length;
  while (nodes.get(landUuid(feature.uuid, earlier))?.birth) earlier++;
  const uuid = landUuid(feature.uuid, earlier);
  const known = nodes.get(uuid);
  const fields = {
    uuid,
    tier: "task",
    kind: "land",
    id: landId(idOf(feature), earlier),
    title: landTitle(titleOf(feature)),
    parent: feature.uuid,
    createdAt: cause.at,
    createdBy: cause.by,
    ...known?.fields,
  };
  return {
    uuid,
    fields,
    birth: cause,
    finish: known?.finish ?? null,
    isThere: true,
    writes: known?.writes ?? new Map(),
  };
}
