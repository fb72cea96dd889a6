// Lands finished features: for the daemon at level auto, and for a run that you allowed to land. A landing that the daemon
// gave up on is tried again when main or the feature's branch has moved, or when a person says so.

import type { Node } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { isUnfinished } from "../../model/status/landing.js";
import { resolve } from "../../plan/base/resolve.js";
import { readLevels } from "../../plan/level/level.js";
import type { Reader } from "../../store/store.js";
import type { EngineServices } from "../services.js";
import { landFeature } from "./land.js";
import { whenToTry } from "./land-attempt.js";
import { mayStart } from "./landing-plan.js";
import { IN_REVIEW } from "./push.js";

/** Returns the ids of the features that landed. It lands one after the other, because each moves main. */
export async function landReady(services: EngineServices, signal: AbortSignal): Promise<string[]> {
  const landed: string[] = [];
  for (const each of await ready(services)) {
    const { id } = each.feature;
    const when = await whenToTry(services, each);
    if (signal.aborted || when === null || (when !== "now" && when > services.context.now())) continue;
    const result = await landFeature(services, id, { signal });
    if (result.ok) landed.push(id);
    else if (result.error.reason !== IN_REVIEW) noticeFailure(services, id, result.error.message);
  }
  return landed;
}

const noticeFailure = ({ onEvent }: EngineServices, feature: string, message: string): void =>
  onEvent({ type: "notice", text: `Landing ${feature} failed: ${message}` });

export interface NotLanded {
  readonly feature: string;
  readonly reason: string;
  readonly message: string;
}

/** Lands what is finished below a node, or everywhere, as the actor who allowed it. Leaves out what `failed` names, and adds to it. */
export async function landFinished(
  services: EngineServices,
  within: string | undefined,
  failed: Map<string, NotLanded>,
  signal: AbortSignal,
): Promise<Result<string[]>> {
  const { store } = services.context;
  const finished = await store.read(async (reader) => {
    const top = within === undefined ? ok(null) : await resolve(reader, within, services.context);
    return top.ok ? ok(await finishedFeatures(reader, top.value)) : top;
  });
  if (!finished.ok) return finished;
  const landed: string[] = [];
  for (const { id: feature } of finished.value) {
    if (signal.aborted || failed.has(feature)) continue;
    const result = await landFeature(services, feature, { signal });
    if (result.ok) {
      landed.push(feature);
      services.onEvent({ type: "notice", text: `${feature} has landed: ${result.value.proof}` });
    } else if (!signal.aborted) {
      const { reason, message } = result.error;
      failed.set(feature, { feature, reason, message });
      noticeFailure(services, feature, message);
    }
  }
  return ok(landed);
}

/** The earliest time at which a failed landing may be tried again; null if none is to be retried. */
export async function nextTry(services: EngineServices): Promise<number | null> {
  let next: number | null = null;
  for (const each of await ready(services)) {
    const when = await whenToTry(services, each);
    if (typeof when === "number") next = Math.min(when, next ?? when);
  }
  return next;
}

/** Features at level auto whose land task can start now. */
function ready({ context }: EngineServices) {
  return context.store.read(async (reader) => {
    const levelOf = await readLevels(reader);
    // The lower level counts, so no feature is at auto if the workspace is not.
    const found: { feature: Node; land: Node }[] = [];
    if (levelOf(null) !== "auto") return found;
    for (const feature of await finishedFeatures(reader, null)) {
      if (levelOf(feature.nr) !== "auto") continue;
      const land = (await reader.children(feature.nr)).find(({ kind, outcome }) => kind === "land" && outcome === null);
      if (land && (await mayStart(reader, land, context.actor)).ok) found.push({ feature, land });
    }
    return found;
  });
}

/** Features that may land: in the whole plan, or at and below a node. */
async function finishedFeatures(reader: Reader, top: Node | null): Promise<Node[]> {
  const found: Node[] = [];
  const look = async (node: Node): Promise<void> => {
    if (node.tier === "feature") {
      if (!isUnfinished(node) && (await reader.landing(node)).length === 0) found.push(node);
    } else if (node.tier !== "task" && node.tier !== "story") {
      for (const child of await reader.children(node.nr)) await look(child);
    }
  };
  for (const node of top === null ? await reader.children(null) : [top]) await look(node);
  return found;
}
