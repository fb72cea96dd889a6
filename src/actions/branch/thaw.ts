// Lets a frozen branch go on, or gives it up; not before somebody has seen what changed under it.

import { changedFiles, folderSeenFrom } from "../../git/changed-files.js";
import { isPerson } from "../../graph/actor.js";
import { conflictBehind } from "../../graph/conflict/conflict.js";
import type { Branch } from "../../graph/node/branch.js";
import type { Node, NodeFields, Nr } from "../../graph/node/node.js";
import { type Change, changeNode } from "../../graph/operation/change.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { dropPatch, toDrop } from "../../graph/rules/drop.js";
import { type Thaw, toThaw } from "../../graph/rules/freeze.js";
import type { Reader, Writer } from "../../store/store.js";
import { settledWith } from "../conflict/settle-conflicts.js";
import { act, type Context } from "../context.js";
import { withdraw } from "../question/raise.js";
import type { Maker } from "../record/save-record.js";
import { mayGiveUp, requirePerson } from "../require-person.js";
import { resolve } from "../resolve.js";
import { branchOf, claimsOn, type EndedClaim, idsOf, summary } from "./branch.js";

export interface ThawInput {
  readonly reference: string;
  /** This node only. */
  readonly partial?: boolean;
  /** Give the branch up instead of letting it go on. */
  readonly drop?: boolean;
  /** So many more replans for the node. */
  readonly grantBudget?: number;
  /** Although files changed under it, or the conflict behind it is not decided. */
  readonly force?: boolean;
}

export interface Thawed {
  readonly op: number | null;
  readonly thawed: readonly string[];
  readonly dropped: readonly string[];
  readonly endedClaims: readonly EndedClaim[];
  /** Below, and frozen for a reason of their own. */
  readonly stillFrozen: readonly string[];
}

interface Look extends Thaw {
  readonly branch: Branch;
}

export async function thaw(context: Context, input: ThawInput): Promise<Result<Thawed>> {
  const looked = await context.store.read((reader) => look(reader, context, input));
  if (!looked.ok) return looked;
  const unchanged = input.force ? ok(undefined) : await requireUnchanged(context, looked.value.thawed);
  if (!unchanged.ok) return unchanged;
  const committed = await act<Omit<Thawed, "op">>(context, "thaw", async (writer, at) => {
    const again = await look(writer, context, input);
    if (!again.ok) return again;
    const { branch, thawed, stillFrozen } = again.value;
    const [root] = branch;
    if (versions(thawed) !== versions(looked.value.thawed)) {
      return refused("changed", `${root.id} was changed while git was asked.`, { hint: "Run the command again." });
    }
    const dropped = input.drop ? toDrop(branch, among(thawed)) : [];
    const may = mayGiveUp(context.actor, dropped);
    if (!may.ok) return may;
    const drop = dropPatch({ by: context.actor, at, op: writer.op }, root.freeze?.reason ?? null);
    const going = among(dropped);
    const patchFor = (node: Node): Partial<NodeFields> => ({
      ...(going(node) ? drop : { freeze: null }),
      ...(node.nr === root.nr ? { replansGranted: root.replansGranted + (input.grantBudget ?? 0) } : {}),
    });
    const value = {
      thawed: idsOf(thawed),
      dropped: idsOf(dropped),
      endedClaims: claimsOn(dropped),
      stillFrozen: idsOf(stillFrozen),
    };
    const deed = input.drop ? "gave up the frozen" : "thawed";
    const sentence = `${context.actor} ${deed} ${summary(value.thawed)}`;
    const settled = await settleForced(writer, thawed, { by: context.actor, at });
    return ok({
      sentence,
      changes: [...thawed.flatMap((node) => changeNode(node, patchFor(node))), ...settled],
      value,
    });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

async function look(reader: Reader, { actor }: Context, input: ThawInput): Promise<Result<Look>> {
  const root = await resolve(reader, input.reference, actor);
  if (!root.ok) return root;
  const branch = await branchOf(reader, root.value);
  const scope = toThaw(branch, input.partial ?? false);
  if (!scope.ok) return scope;
  const held = scope.value.thawed.find((node) => isPerson(node.freeze?.by ?? ""));
  const may = held ? requirePerson(actor, `thaw what ${held.freeze?.by ?? "a person"} froze`) : ok(undefined);
  if (!may.ok) return may;
  const decided = input.force || input.drop ? ok(undefined) : await requireDecided(reader, scope.value.thawed);
  if (!decided.ok) return decided;
  const grants = input.grantBudget === undefined ? ok(undefined) : requirePerson(actor, "grant a budget");
  return grants.ok ? ok({ branch, ...scope.value }) : grants;
}

/** What stopped because of a conflict goes on when that is decided. */
async function requireDecided(reader: Reader, nodes: readonly Node[]): Promise<Result<void>> {
  for (const { id, key } of conflictsOver(nodes)) {
    const conflict = await reader.item("conflict", key);
    if (conflict?.fields.state !== "open") continue;
    return refused("conflict-open", `${id} is frozen because of ${key}, which nobody has decided yet.`, {
      hint: `\`planwright conflicts show ${key}\` says what it is about and how to decide it.`,
      details: { id, conflict: key },
    });
  }
  return ok(undefined);
}

const conflictsOver = (nodes: readonly Node[]): { id: string; key: string }[] =>
  nodes.flatMap((node) => {
    const key = conflictBehind(node);
    return key === undefined ? [] : [{ id: node.id, key }];
  });

/** Whoever thaws it all the same has decided. */
async function settleForced(writer: Writer, nodes: readonly Node[], maker: Maker): Promise<Change[]> {
  const changes: Change[] = [];
  for (const key of new Set(conflictsOver(nodes).map((each) => each.key))) {
    const item = await writer.item("conflict", key);
    if (item?.fields.state !== "open") continue;
    changes.push(...settledWith(item, `${maker.by} let it go`, maker), ...(await withdraw(writer, key)));
  }
  return changes;
}

const versions = (nodes: readonly Node[]): string => nodes.map((node) => `${node.nr}@${node.revision}`).join();

function among(nodes: readonly Node[]): (node: Node) => boolean {
  const known = new Set<Nr>(nodes.map((node) => node.nr));
  return (node) => known.has(node.nr);
}

/** Work that was planned on files which have changed since may no longer fit them. */
async function requireUnchanged(context: Context, nodes: readonly Node[]): Promise<Result<void>> {
  const folder = folderSeenFrom(context.cwd, context.root);
  const files = new Map<string, Set<string>>();
  for (const { freeze, files: footprint } of nodes) {
    if (!freeze?.commit || footprint.length === 0) continue;
    const known = files.get(freeze.commit) ?? new Set();
    for (const file of footprint) known.add(file);
    files.set(freeze.commit, known);
  }
  const hint = "Look at them first; `planwright thaw --help` says how to go on then.";
  const changed: string[] = [];
  for (const [commit, footprint] of files) {
    const found = await changedFiles(folder, commit, [...footprint]);
    if (!found) {
      return refused("changed-since-freeze", `Git cannot compare the files with ${commit}, when they were frozen.`, {
        hint,
        details: { files: [...footprint] },
      });
    }
    changed.push(...found);
  }
  if (changed.length === 0) return ok(undefined);
  const list = changed.map((file) => `  ${file}`).join("\n");
  return refused("changed-since-freeze", `These files changed since the freeze:\n${list}`, {
    hint,
    details: { files: changed },
  });
}
