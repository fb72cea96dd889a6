// What keeps the engine from a task that is ready: no feature, the level, a pause after a failure, or work on its feature
// that has stopped; and of a landing, how the last one ended. Only for plans that something was tried in.

import type { Node } from "../graph/node.js";
import { moment } from "../graph/why.js";
import type { Reader } from "../store/store.js";
import { readLevels } from "./level.js";

/** Far more than run between a stop and the question about it. */
const RECENT = 50;

export async function heldWords(reader: Reader, node: Node, now: number): Promise<string[]> {
  const [last] = await reader.items("attempt", { owner: String(node.nr), newest: true, limit: 1 });
  const failure = last?.fields.failure ?? null;
  const again = failure?.notBefore ?? 0;
  const words: string[] = [];
  if (node.kind === "land") {
    const failed = last && last.fields.state !== "accepted" && last.fields.endedAt !== null;
    if (failed) words.push(`It was tried before (${last.key}): ${last.fields.note}`);
  } else {
    if (node.feature === null) return ["It is in no feature, so there is no branch for an engine to put its work on."];
    const levelOf = await readLevels(reader);
    if (levelOf(node.feature) === "off") words.push("The level is off, so a daemon does not begin it.");
    const stop = await stopOf(reader, node.feature);
    if (stop !== null) words.push(stop);
  }
  if (failure !== null && again > now) {
    words.push(`After a failure (${failure.reason}) it is tried again at ${moment(again)}.`);
  }
  return words;
}

/** The last thing that was asked about a storm or a budget, if nothing of the feature has begun since. */
async function stopOf(reader: Reader, feature: number): Promise<string | null> {
  const owner = await reader.idOf(feature);
  if (owner === undefined) return null;
  const asked = await reader.items("escalation", { owner, newest: true, limit: RECENT });
  const stop = asked.find(({ fields }) => fields.kind === "budget" && fields.state !== "withdrawn");
  if (!stop) return null;
  const { createdAt, question, context } = stop.fields;
  const recent = await reader.items("attempt", { newest: true, limit: RECENT });
  const begun = recent.some(({ fields }) => fields.feature === feature && fields.startedAt > createdAt);
  return begun ? null : `${question} ${context.replaceAll("\n", " ")}`;
}
