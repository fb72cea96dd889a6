// At level auto the daemon lands what is finished. It does not try the same thing for ever: a landing that it gave up on is
// tried again when the main branch or the feature's has moved, or when a person says so.

import { readLevels } from "../../actions/level/level.js";
import type { Node, Nr } from "../../graph/node/node.js";
import { isFinished } from "../../graph/status/rollup.js";
import type { Reader } from "../../store/store.js";
import type { Services } from "../engine/services.js";
import { whenToTry } from "./failed-landing.js";
import { land } from "./land.js";
import { mayStart } from "./landing-plan.js";
import { IN_REVIEW } from "./review-host.js";

/** The ids of the features that landed. One after the other, since each moves the main branch. */
export async function landReady(services: Services, signal: AbortSignal): Promise<string[]> {
  const landed: string[] = [];
  for (const { feature, land: task } of await ready(services)) {
    const when = await whenToTry(services, { feature, land: task });
    if (signal.aborted || when === null || (when !== "now" && when > services.context.now())) continue;
    const result = await land(services, feature.id, { signal });
    if (result.ok) landed.push(feature.id);
    else if (result.error.reason !== IN_REVIEW)
      services.onEvent({ type: "notice", text: `${feature.id} did not land: ${result.error.message}` });
  }
  return landed;
}

/** When the first landing that failed may be tried again; null if none waits for a time. */
export async function nextTry(services: Services): Promise<number | null> {
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

/** Features at level auto whose land task waits for nothing but being done. */
function ready({ context }: Services): Promise<Ready[]> {
  return context.store.read(async (reader) => {
    const levelOf = await readLevels(reader);
    // The lower level counts, so below `auto` for the workspace there is nothing to look for.
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

/** All their tasks are settled, and they are not. */
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
