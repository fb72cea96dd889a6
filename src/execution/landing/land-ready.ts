// Lands finished features for the daemon at level auto. A landing that it gave up on is tried again when main or the
// feature's branch has moved, or when a person says so.

import { readLevels } from "../../actions/level/level.js";
import type { Node, Nr } from "../../graph/node/node.js";
import { isFinished } from "../../graph/status/rollup.js";
import type { Reader } from "../../store/store.js";
import type { EngineServices } from "../engine/services.js";
import { whenToTry } from "./failed-landing.js";
import { landFeature } from "./land.js";
import { mayStart } from "./landing-plan.js";
import { IN_REVIEW } from "./review-host.js";

/** Returns the ids of the features that landed. It lands one after the other, because each moves main. */
export async function landReady(services: EngineServices, signal: AbortSignal): Promise<string[]> {
  const landed: string[] = [];
  for (const { feature, land: task } of await ready(services)) {
    const when = await whenToTry(services, { feature, land: task });
    if (signal.aborted || when === null || (when !== "now" && when > services.context.now())) continue;
    const result = await landFeature(services, feature.id, { signal });
    if (result.ok) landed.push(feature.id);
    else if (result.error.reason !== IN_REVIEW)
      services.onEvent({ type: "notice", text: `Landing ${feature.id} failed: ${result.error.message}` });
  }
  return landed;
}

/** The earliest time at which a failed landing may be tried again; null if none is to be retried. */
export async function nextTry(services: EngineServices): Promise<number | null> {
  const times: number[] = [];
  for (const each of await ready(services)) {
    const when = await whenToTry(services, each);
    if (typeof when === "number") times.push(when);
  }
  return times.length === 0 ? null : Math.min(...times);
}

interface Ready {
  readonly feature: Node;
  readonly land: Node;
}

/** Features at level auto whose land task can start now. */
function ready({ context }: EngineServices): Promise<Ready[]> {
  return context.store.read(async (reader) => {
    const levelOf = await readLevels(reader);
    // The lower level counts, so no feature is at auto if the workspace is not.
    if (levelOf(null) !== "auto") return [];
    const found: Ready[] = [];
    for (const feature of await finishedFeatures(reader)) {
      if (levelOf(feature.nr) !== "auto") continue;
      const land = (await reader.children(feature.nr)).find(({ kind, outcome }) => kind === "land" && outcome === null);
      if (land && (await mayStart(reader, land, context.actor)).ok) found.push({ feature, land });
    }
    return found;
  });
}

/** Features that are open although all their tasks are settled. */
async function finishedFeatures(reader: Reader): Promise<Node[]> {
  const found: Node[] = [];
  const look = async (parent: Nr | null): Promise<void> => {
    for (const node of await reader.children(parent)) {
      if (node.tier !== "feature") {
        if (node.tier !== "task" && node.tier !== "story") await look(node.nr);
      } else if (node.tasksLive > 0 && node.tasksLive === node.tasksFinished && !isFinished(node)) found.push(node);
    }
  };
  await look(null);
  return found;
}
