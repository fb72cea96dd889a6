// Reads what a landing needs from the plan (the feature, its open land task, its done tasks), and whether it may start.

import { requireIntact } from "../../actions/branch/require-intact.js";
import { commitsToLand } from "../../actions/claim/prove-landed.js";
import { readLevels } from "../../actions/level/level.js";
import { resolve } from "../../actions/resolve.js";
import { isPerson } from "../../graph/actor.js";
import { hasFailed } from "../../graph/attempt/proof.js";
import { step } from "../../graph/next-step.js";
import type { Check, Node } from "../../graph/node/node.js";
import { absent, ok, type Result, refused } from "../../graph/result.js";
import { phraseOf } from "../../graph/status/hold-phrase.js";
import { type HoldReason, holdsCompletion } from "../../graph/status/holds.js";
import type { Reader } from "../../store/store.js";
import type { EngineServices } from "../engine/services.js";

export interface LandingPlan {
  readonly feature: Node;
  readonly land: Node;
  /** The done tasks, without the land task. */
  readonly tasks: readonly Node[];
  /** The commits that have to be on main, each with its tasks. */
  readonly commits: ReadonlyMap<string, readonly string[]>;
}

export const readLandingPlan = ({ context }: EngineServices, reference: string): Promise<Result<LandingPlan>> =>
  context.store.read(async (reader) => {
    const found = await resolve(reader, reference, context.actor);
    if (!found.ok) return found;
    const feature = await featureOf(reader, found.value);
    if (!feature) {
      return absent("nothing-to-land", `${found.value.id} is in no feature, and only features land.`, {
        next: [step("status")],
      });
    }
    const allowed = await mayLand(reader, context.actor, feature);
    return allowed.ok ? readFeature(reader, feature) : allowed;
  });

const featureOf = async (reader: Reader, node: Node): Promise<Node | undefined> =>
  node.tier === "feature" ? node : node.feature === null ? undefined : reader.node(node.feature);

/** A person may land, and so may the daemon at level auto. A worker never may. */
async function mayLand(reader: Reader, actor: string, { nr, id }: Node): Promise<Result<void>> {
  if (isPerson(actor)) return ok(undefined);
  const level = (await readLevels(reader))(nr);
  if (actor.startsWith("daemon:") && level === "auto") return ok(undefined);
  return refused("needs-person", `${actor} may not land ${id}: only a person or the daemon at level auto may.`, {
    next: [step("land", { reference: id })],
  });
}

async function readFeature(reader: Reader, feature: Node): Promise<Result<LandingPlan>> {
  const below = await reader.descendants(feature.nr);
  const lands = below.filter(({ kind }) => kind === "land");
  const land = lands.find(({ outcome }) => outcome === null);
  if (!land) {
    const landed = lands.some(({ outcome }) => outcome?.kind === "done");
    const why = landed ? "has landed already, and nothing was added since" : "has no work to land";
    return absent("nothing-to-land", `${feature.id} ${why}.`, { next: [step("status", { reference: feature.id })] });
  }
  const tasks = below.filter((node) => node.tier === "task" && node.kind !== "land" && node.outcome?.kind === "done");
  const intact = await requireIntact(reader, tasks);
  return intact.ok ? ok({ feature, land, tasks, commits: commitsToLand(below) }) : intact;
}

const OPEN: ReadonlySet<HoldReason> = new Set<HoldReason>(["dep-rejected", "dep-dropped", "deps-pending"]);

/** Whether the land task may start now. */
export async function mayStart(reader: Reader, land: Node, actor: string): Promise<Result<void>> {
  const by = isPerson(actor) ? "person" : "daemon";
  const [first] = holdsCompletion(land, await reader.surroundings(land), by);
  if (!first) return ok(undefined);
  const next = [step("why", { reference: land.id })];
  const { reason, because: ids } = first;
  if (OPEN.has(reason)) {
    return refused("tasks-open", `The feature of ${land.id} is not finished: ${ids.join(", ")} ${isOrAre(ids)} open.`, {
      next,
      details: { open: ids },
    });
  }
  return refused(reason, `${land.id} cannot start now: ${phraseOf(first)}.`, { next, details: { id: land.id } });
}

const isOrAre = (ids: readonly string[]): string => (ids.length === 1 ? "is" : "are");

/** Each distinct check of the tasks once, without those that a person has overridden. */
export function checksOf(tasks: readonly Node[]): Check[] {
  const distinct = new Map<string, Check>();
  for (const { checks, acceptance, report } of tasks) {
    const failed = new Set(report?.checks.filter(hasFailed).map(({ run }) => run));
    const overridden = acceptance?.by === "checks" ? new Set<string>() : failed;
    for (const check of checks) if (!overridden.has(check.run)) distinct.set(JSON.stringify(check), check);
  }
  return [...distinct.values()];
}
