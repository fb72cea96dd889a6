// An upgrade from a program that kept all bugs in one feature, where one open bug held the fixes of all others back. Each open bug moves
// into a feature of its own. What was worked on stays: its commits are on the branch of the old feature.

import { displayId } from "../../model/node/ids.js";
import { BUGS, type Node, type Nr } from "../../model/node/node.js";
import { uuid7s } from "../../model/node/uuid7.js";
import { type Change, changeNode, createNode } from "../../model/operation/change.js";
import { dropPatch } from "../../model/rules/give-up.js";
import { isFinished, isLive } from "../../model/status/rollup.js";
import type { Database } from "../database.js";
import type { Writer } from "../store.js";
import { commitUpgrade, UPGRADER } from "./seal-old-approvals.js";

/** Inside one transaction of the caller. */
export async function moveOpenBugs(db: Database): Promise<void> {
  await commitUpgrade(db, UPGRADER, async (writer) => {
    const bugs = await writer.byId(BUGS);
    if (bugs?.tier !== "feature" || bugs.parent === null) return { sentence: "", changes: [] };
    const inside = await writer.descendants(bugs.nr);
    const moving = inside.filter(
      (node) => node.parent === bugs.nr && node.kind !== "land" && isUntouched(node, inside),
    );
    const gone = new Set<Nr>(moving.map(({ nr }) => nr));
    return {
      sentence: `moved ${moving.length} open ${moving.length === 1 ? "bug" : "bugs"} into features of their own`,
      changes: [
        ...(await intoFeatures(writer, bugs, moving)),
        ...(moving.length === 0 ? [] : landingToDrop(writer, bugs, inside, gone)),
      ],
    };
  });
}

/** Nobody has worked on it or on anything below it. */
function isUntouched(root: Node, inside: readonly Node[]): boolean {
  const branch = [root, ...inside.filter(({ parent }) => parent === root.nr)];
  const isOpen = ({ outcome, archive, claim, acceptance }: Node): boolean =>
    outcome === null && archive === null && claim === null && acceptance === null;
  return isOpen(root) && !isFinished(root) && branch.every((node) => isOpen(node) || !isLive(node));
}

async function intoFeatures(writer: Writer, bugs: Node, moving: readonly Node[]): Promise<Change[]> {
  if (moving.length === 0) return [];
  const nr = await writer.allocate(moving.length);
  const number = await writer.mint("feature", moving.length);
  const uuidOf = uuid7s(writer.at, Buffer.from(await writer.random(10), "hex"));
  return moving.flatMap((node, index) => {
    const feature = {
      uuid: uuidOf(index),
      id: displayId("feature", number + index),
      tier: "feature",
      kind: null,
      title: node.title,
      parent: bugs.parent,
      freeze: bugs.freeze,
      createdAt: writer.at,
      createdBy: UPGRADER,
    } as const;
    return [createNode(nr + index, feature), ...changeNode(node, { parent: nr + index })];
  });
}

/** Where all that stays has landed, the landing that waited for the open bugs has nothing to land. */
function landingToDrop(writer: Writer, bugs: Node, inside: readonly Node[], gone: ReadonlySet<Nr>): Change[] {
  const landed = bugs.landedOp;
  const stays = inside.filter((node) => node.parent === bugs.nr && node.kind !== "land" && !gone.has(node.nr));
  const isLanded = landed !== null && stays.every((node) => isFinished(node) && (node.outcome?.op ?? landed) <= landed);
  const open = inside.filter((node) => node.kind === "land" && node.outcome === null);
  const patch = dropPatch(
    { by: UPGRADER, at: writer.at, op: writer.op },
    "its open bugs moved into features of their own",
  );
  return isLanded ? open.flatMap((land) => changeNode(land, patch)) : [];
}
