// What keeps the engine from a task that is ready: no feature, the level, a pause after a failure, work on its feature that
// has stopped, or somebody who is at work on the same files; and of a landing, how the last one ended.

import { clashesWith, placesOf } from "../../graph/conflict/conflict.js";
import type { Node } from "../../graph/node/node.js";
import { moment } from "../../graph/status/why.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { readLevels } from "../level/level.js";

export interface Held {
  readonly sentence: string;
  readonly unblock: readonly string[];
}

/** More than any number of programs works on at once. */
const IN_FLIGHT = 1_000;

export async function heldBack(reader: Reader, node: Node, context: Context): Promise<Held[]> {
  if (node.kind === "land") return lastLanding(reader, node, context.now());
  if (node.feature === null) {
    const sentence = "It is in no feature, so there is no branch for an engine to put its work on.";
    return [{ sentence, unblock: [`planwright move ${node.id} --to FEATURE`] }];
  }
  return [
    ...(await levelOff(reader, node.feature)),
    ...(await stopped(reader, node, node.feature, context)),
    ...(await overlapping(reader, node)),
    ...(await pause(reader, node, context.now())),
  ];
}

const lastOf = async (reader: Reader, { nr }: Node) =>
  (await reader.items("attempt", { owner: String(nr), newest: true, limit: 1 }))[0];

async function lastLanding(reader: Reader, node: Node, now: number): Promise<Held[]> {
  const last = await lastOf(reader, node);
  const failed = last && last.fields.state !== "accepted" && last.fields.endedAt !== null;
  const before = failed ? [{ sentence: `It was tried before (${last.key}): ${last.fields.note}`, unblock: [] }] : [];
  return [...before, ...(await pause(reader, node, now))];
}

async function levelOff(reader: Reader, feature: number): Promise<Held[]> {
  const levelOf = await readLevels(reader);
  if (levelOf(feature) !== "off") return [];
  const id = await reader.idOf(feature);
  const whole = levelOf(null) === "off";
  return [
    {
      sentence: whole
        ? "The level is off, so a daemon does not begin it."
        : `The level of ${id} is off, so a daemon does not begin it.`,
      unblock: [whole ? "planwright level on" : `planwright level on --feature ${id}`],
    },
  ];
}

/** Nothing was ever tried in most plans: then it costs one row that is not there. */
async function stopped(reader: Reader, node: Node, feature: number, context: Context): Promise<Held[]> {
  if ((await reader.items("attempt", { newest: true, limit: 1 })).length === 0) return [];
  const { Stops } = await import("../claim/engine-stops.js");
  const stop = await new Stops(await context.engineLimits(), context.now()).of(reader, feature);
  if (stop === null) return [];
  const id = (await reader.idOf(feature)) ?? "its feature";
  const what = { storm: "pauses after too many failures", budget: "stops: its budget is spent" } as const;
  const sentence = `Work on ${id} ${stop.stops === undefined ? "goes on slowly" : what[stop.stops]}. ${capital(stop.reason)}.`;
  // Whoever names a task means it.
  const unblock = [`planwright run ${node.id}`, ...(stop.stops === "storm" ? ["planwright attempts"] : [])];
  return [{ sentence, unblock }];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

async function overlapping(reader: Reader, node: Node): Promise<Held[]> {
  const clashes = clashesWith(node, await reader.claimed({ limit: IN_FLIGHT }));
  return clashes.map((clash) => {
    const other = clash.first.nr === node.nr ? clash.second : clash.first;
    const sentence = `${other.id} is being worked on and touches ${placesOf(clash)} too, so an engine begins it after that.`;
    return { sentence, unblock: [`planwright status ${other.id}`] };
  });
}

async function pause(reader: Reader, node: Node, now: number): Promise<Held[]> {
  const failure = (await lastOf(reader, node))?.fields.failure ?? null;
  const again = failure?.notBefore ?? 0;
  if (failure === null || again <= now) return [];
  return [{ sentence: `After a failure (${failure.reason}) it is tried again at ${moment(again)}.`, unblock: [] }];
}
