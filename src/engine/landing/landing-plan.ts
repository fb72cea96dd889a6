// Reads what a landing needs from the plan (the feature, its open land task, its done tasks), and whether it may start.

import type { LandStrategy, MESSAGE_FIELDS } from "../../machine/git/git-settings.js";
import { commitTree, rebaseOnto } from "../../machine/git/merge.js";
import { shortName } from "../../machine/git/refs.js";
import { userConfig } from "../../machine/git/user-config.js";
import { isPerson } from "../../model/actor.js";
import { type TaskProof, taskProof } from "../../model/attempt/proof-strength.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { absent, type Failure, ok, type Result, refused } from "../../model/result.js";
import { commitsToLand, tasksToLand } from "../../model/rules/to-land.js";
import { phraseOf } from "../../model/status/hold-phrase.js";
import { type Hold, type HoldReason, holds, holdsCompletion } from "../../model/status/holds.js";
import { HOLD_WORDS, stepsToFree } from "../../model/status/landing.js";
import type { Surroundings } from "../../model/status/status.js";
import { resolve } from "../../plan/base/resolve.js";
import { readLevels } from "../../plan/level/level.js";
import { requireIntact } from "../../plan/node/require-intact.js";
import { lostLandingOf } from "../../plan/repository/lost-landings.js";
import type { OfRepository } from "../../plan/repository/main-branch.js";
import type { Reader } from "../../store/store.js";
import { oneLine } from "../attempt/attempt-places.js";
import type { EngineServices } from "../services.js";

export interface LandingPlan {
  readonly feature: Node;
  readonly land: Node;
  /** The tasks that were done since the feature landed last. */
  readonly tasks: readonly Node[];
  /** The commits that have to be on main, each with its tasks. */
  readonly commits: ReadonlyMap<string, readonly string[]>;
}

/** A feature that is about to land. */
export interface ToLand {
  readonly services: EngineServices;
  readonly plan: LandingPlan;
}

export const readLandingPlan = ({ context }: EngineServices, reference: string): Promise<Result<LandingPlan>> =>
  context.store.read(async (reader) => {
    const found = await resolve(reader, reference, context);
    if (!found.ok) return found;
    const feature = await featureOf(reader, found.value);
    if (!feature) {
      return absent("nothing-to-land", `${found.value.id} is in no feature, and only features land.`, {
        next: [step("status")],
      });
    }
    const allowed = await mayLand(reader, context.actor, feature);
    return allowed.ok ? readFeature(reader, context, feature) : allowed;
  });

const featureOf = async (reader: Reader, node: Node): Promise<Node | undefined> =>
  node.tier === "feature" ? node : node.feature === null ? undefined : reader.node(node.feature);

/** A person may land, and so may the daemon at level auto. A worker never may. */
async function mayLand(reader: Reader, actor: string, { nr, id }: Node): Promise<Result<void>> {
  if (isPerson(actor)) return ok(undefined);
  const level = (await readLevels(reader))(nr);
  if (actor.startsWith("daemon:") && level === "auto") return ok(undefined);
  return refused("needs-person", `${actor} may not land ${id}: only a person or the daemon at level auto may.`, {
    next: [step("why", { reference: id })],
  });
}

async function readFeature(reader: Reader, context: OfRepository, feature: Node): Promise<Result<LandingPlan>> {
  const below = await reader.descendants(feature.nr);
  const lands = below.filter(({ kind }) => kind === "land");
  const land = lands.find(({ outcome }) => outcome === null);
  if (!land) {
    const lost = await lostLandingOf(reader, context, feature);
    if (lost) return refused("landing-lost", lost.sentence, { next: lost.next });
    const landed = lands.some(({ outcome }) => outcome?.kind === "done");
    const why = landed ? "has landed already, and nothing was added since" : "has no work to land";
    return absent("nothing-to-land", `${feature.id} ${why}.`, { next: [step("status", { reference: feature.id })] });
  }
  const tasks = tasksToLand(below);
  const intact = await requireIntact(reader, tasks);
  return intact.ok ? ok({ feature, land, tasks, commits: commitsToLand(below) }) : intact;
}

const OPEN: ReadonlySet<HoldReason> = new Set<HoldReason>(["dep-rejected", "dep-dropped", "deps-pending"]);

export async function mayStart(reader: Reader, land: Node, actor: string): Promise<Result<void>> {
  const by = isPerson(actor) ? "person" : "daemon";
  const around = await reader.surroundings(land);
  const [first] = holdsCompletion(land, around, by);
  if (!first) return ok(undefined);
  if (OPEN.has(first.reason)) return notFinished(land, first, around);
  return refused(first.reason, `${land.id} cannot start now: ${phraseOf(first)}.`, {
    next: [step("why", { reference: land.id })],
    details: { id: land.id },
  });
}

/** Whether the feature is still finished, while its landing runs. */
export async function mayGoOn(reader: Reader, land: Node): Promise<Result<void>> {
  const around = await reader.surroundings(land);
  const open = holds(land, { around }, "self").find(({ reason }) => OPEN.has(reason));
  return open ? notFinished(land, open, around) : ok(undefined);
}

/** A landing that is refused for now: it may be tried again. */
export const cannotLandNow = (
  { feature }: Pick<LandingPlan, "feature">,
  reason: string,
  message: string,
  details?: NonNullable<Failure["details"]>,
): Failure => {
  const next = [step("land", { reference: feature.id })];
  return { kind: "refused", reason, message, next, ...(details && { details }) };
};

/** Not now, and no failure of the landing: it may start once the feature is finished. */
export const NOT_FINISHED = "tasks-open";

function notFinished(land: Node, { because }: Hold, { landing }: Surroundings): Result<never> {
  const others = new Set(landing.map(({ id }) => id));
  const open = because.filter((id) => !others.has(id));
  const words = [
    ...(open.length === 0 ? [] : [`${open.join(", ")} ${isOrAre(open)} open.`]),
    ...landing.map(({ kind, id }) => HOLD_WORDS[kind](id)),
  ];
  return refused(NOT_FINISHED, `The feature of ${land.id} is not finished: ${words.join(" ")}`, {
    next: [step("why", { reference: land.id }), ...landing.slice(0, 1).flatMap(stepsToFree)],
    details: { open: because },
  });
}

const isOrAre = (ids: readonly string[]): string => (ids.length === 1 ? "is" : "are");

export type HowToLand = Awaited<ReturnType<typeof howToLand>>;

/** What was asked for, or else what the settings say. `despite`: why it lands although it contradicts a record or leaves a footprint. */
export async function howToLand(
  { context }: EngineServices,
  asked: { readonly strategy?: LandStrategy; readonly message?: string; readonly despite?: string },
) {
  const { landStrategy, landMessage, signing } = await context.gitSettings();
  const sign = signing === "auto" && (await userConfig(context.root, "commit.gpgSign", "bool")) === "true";
  const { strategy = landStrategy, message = landMessage, despite = null } = asked;
  return { strategy, message, sign, despite };
}

/** `tree`: both branches merged. */
export async function landingCommit(
  root: string,
  plan: LandingPlan,
  { strategy, message, sign }: HowToLand,
  { from, branch, tip, tree }: { readonly [part in "from" | "branch" | "tip" | "tree"]: string },
): Promise<{ readonly commit: string } | { readonly conflicts: readonly string[]; readonly at: string }> {
  if (strategy === "rebase") return rebaseOnto(root, from, tip, { sign });
  const parents = strategy === "merge" ? [from, tip] : [from];
  return { commit: await commitTree(root, tree, parents, landingMessage(plan, message, shortName(branch)), { sign }) };
}

const proofLine = ({ task, strength, words }: TaskProof): string =>
  oneLine(words === "" ? `${task} ${strength}` : `${task} ${strength} (${words})`);

/** The trailers always follow: other programs look for them. */
function landingMessage({ feature, land, tasks }: LandingPlan, template: string, branch: string): string {
  const fields: Readonly<Record<(typeof MESSAGE_FIELDS)[number], string>> = {
    id: feature.id,
    title: oneLine(feature.title),
    tasks: tasks.map(({ id, title }) => `- ${id}: ${oneLine(title)}`).join("\n"),
    branch,
  };
  const text = template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : whole,
  );
  return [
    text.trimEnd(),
    "",
    `Planwright-Feature: ${feature.id}`,
    `Planwright-Task: ${land.id}`,
    `Planwright-Branch: ${branch}`,
    ...tasks.filter(({ kind }) => kind === "work").map((task) => `Planwright-Proof: ${proofLine(taskProof(task))}`),
    "",
  ].join("\n");
}
