// Landings that the main branch no longer holds, because it was reset or another history was pushed over it.

import { missingFrom, presenceIn } from "../../machine/git/merge.js";
import { shortName } from "../../machine/git/refs.js";
import { type Attempt, isLanding } from "../../model/attempt/attempt.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { type OfRepository, readMainBranch } from "./main-branch.js";

/** A land task that is done, and the commit that it made on main. */
interface Landed {
  readonly land: Node;
  readonly commit: string;
}

export interface LostLanding extends Landed {
  readonly feature: string;
  readonly sentence: string;
  readonly next: readonly NextStep[];
}

const landedBy = (land: Node | undefined): Landed[] =>
  land?.kind === "land" && land.outcome?.kind === "done" && land.report?.commit
    ? [{ land, commit: land.report.commit }]
    : [];

/** `latest`: how many accepted attempts are looked through, newest first. */
export async function lostLandings(reader: Reader, context: OfRepository, latest: number): Promise<LostLanding[]> {
  const attempts = await reader.items("attempt", { state: "accepted", newest: true, limit: latest });
  const landed = new Map<number, Landed>();
  for (const { fields } of attempts) {
    if (!isLanding(fields) || landed.has(fields.task)) continue;
    for (const each of landedBy(await reader.node(fields.task))) landed.set(fields.task, each);
  }
  return lostAmong(reader, context, [...landed.values()]);
}

/** Of a feature, or of its land task. */
export async function lostLandingOf(reader: Reader, context: OfRepository, node: Node): Promise<LostLanding | null> {
  const lands = node.kind === "land" ? [node] : node.tier === "feature" ? await reader.children(node.nr) : [];
  const [lost] = await lostAmong(reader, context, lands.flatMap(landedBy));
  return lost ?? null;
}

/** The tip of the branch that landed last, if the main branch holds it no longer. */
export async function lostTipOf(reader: Reader, context: OfRepository, { nr }: Node): Promise<string | null> {
  const main = await readMainBranch(context);
  if (main === null) return null;
  const lands = (await reader.children(nr)).filter(({ kind }) => kind === "land");
  const attempts: Attempt[] = [];
  for (const land of lands)
    for (const { fields } of await reader.items("attempt", { owner: String(land.nr), state: "accepted" }))
      if (fields.merged !== null) attempts.push(fields);
  const last = attempts.sort((a, b) => a.startedAt - b.startedAt).at(-1);
  if (last?.merged == null || (await isOnMain(context.root, main.ref, last.merged))) return null;
  return last.tip;
}

/** The same change may be there as another commit. */
async function isOnMain(root: string, main: string, commit: string): Promise<boolean> {
  if ((await missingFrom(root, main, [commit])).length === 0) return true;
  return (await presenceIn(root, main, commit).catch(() => null)) !== null;
}

async function lostAmong(reader: Reader, context: OfRepository, landed: readonly Landed[]): Promise<LostLanding[]> {
  if (landed.length === 0) return [];
  const main = await readMainBranch(context);
  if (main === null) return [];
  const { root } = context;
  const commits = landed.map(({ commit }) => commit);
  const missing = new Set(await missingFrom(root, main.ref, commits));
  const found: LostLanding[] = [];
  for (const each of landed.filter(({ commit }) => missing.has(commit))) {
    const id = each.land.feature === null ? undefined : await reader.idOf(each.land.feature);
    const isThere = await isOnMain(root, main.ref, each.commit);
    if (!isThere) found.push(lostLanding(each, id ?? each.land.id, shortName(main.ref)));
  }
  return found;
}

const lostLanding = ({ land, commit }: Landed, feature: string, main: string): LostLanding => ({
  land,
  commit,
  feature,
  sentence: `${feature} landed as ${commit.slice(0, 10)}, and ${main} no longer holds that commit. Put it back into ${main}, or undo the landing and land ${feature} again.`,
  next: [step("undo", { operation: land.id }), step("show", { reference: feature })],
});
