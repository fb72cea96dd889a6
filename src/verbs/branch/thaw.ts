import { dirname, resolve as resolvePath } from "node:path";
import { isInside } from "../../base/paths.js";
import { changedFiles, changedFilesBetween, folderSeenFrom, statOf } from "../../machine/git/files.js";
import { isPerson } from "../../model/actor.js";
import { conflictBehind } from "../../model/conflict/conflict.js";
import { overlap } from "../../model/conflict/overlap.js";
import type { Item } from "../../model/item/item.js";
import { without } from "../../model/node/content.js";
import { type Node, type NodeFields, type Nr, tierRank } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { type Thaw, toThaw } from "../../model/rules/freeze.js";
import { dropPatch, toDrop } from "../../model/rules/give-up.js";
import type { Branch } from "../../model/status/rollup.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { resolveAll } from "../../plan/base/resolve.js";
import { settledWith } from "../../plan/conflict/resolve-conflict.js";
import { branchOf, claimsOn, idsOf, summary } from "../../plan/node/branch.js";
import { mayGiveUp, requirePerson } from "../../plan/node/require-person.js";
import { withdraw } from "../../plan/question/raise.js";
import type { Maker } from "../../plan/record/save-record.js";
import { readWorkTips } from "../../plan/repository/work-tips.js";
import type { Reader, Writer } from "../../store/store.js";
import { fields, flag, type Infer, nodes, optional, planVerb, spoken, step, wholeNumber } from "../kit/verb.js";
import { endedLine, lineOf } from "../kit/wording.js";

export const input = fields({
  references: nodes("a frozen node; everything that was frozen with it thaws too"),
  partial: optional(flag("thaw only these nodes, not what was frozen with them")),
  drop: optional(flag("drop them instead of letting them continue")),
  grantBudget: optional(wholeNumber("allow N more replans of each node", 1, 1000)),
  force: optional(flag("thaw although files changed since, or a conflict is open")),
});

export const verb = planVerb({
  command: { words: "thaw", group: "decide", positional: ["references"] },
  summary: "Let frozen nodes continue",
  description:
    "Nodes below that were frozen on their own stay frozen and are listed. If files of a footprint changed since the freeze, on the branch where the work begins or in your checkout, nothing thaws and they are listed, because the plan may no longer fit. A conflict that froze a node has to be decided first. An agent may thaw only what no person froze.",
  effect: "writes",
  phrases: spoken(
    "thaw, unfreeze, unblock, unpause, unpark, defrost, take … off hold, take … off ice, lift the freeze on, " +
      "lift the freeze of, lift the freeze from, lift the hold on, release the freeze on, remove the freeze from, " +
      "remove the freeze on, end the freeze of, end the freeze on, thaw out, thaw … out",
  ),
  frozenPhrases: spoken(
    "resume, continue, restart, reopen, resume work on, resume working on, continue work on, continue working on, " +
      "carry on, carry on with, go on with, go ahead with, proceed with, keep working on, restart work on, " +
      "pick … back up, pick … up again, pick back up, get … moving again, get … going again, start … again",
  ),
  emptyWords: "work working can",
  hints: ["continue", "resume", "unblock"],
  tools: [{ tool: "edit", action: "thaw", fields: ["references"] }],
  input,
  examples: [
    { input: { references: ["STORY-0001"] }, does: "lets the story continue" },
    { input: { references: ["FEAT-001"], grantBudget: 1 }, does: "lets it continue and be replanned once more" },
  ],
  run: thaw,
  text: ({ thawed, dropped, endedClaims, stillFrozen }, style) => [
    ...lineOf(`${style.green("✓")} thawed`, without(thawed, dropped)),
    ...lineOf(`${style.dim("−")} dropped`, dropped),
    ...endedLine(endedClaims),
    ...lineOf(`${style.cyan("❄")} still frozen for a reason of their own`, stillFrozen),
  ],
});

type ThawInput = Infer<typeof input>;

/** What is going to happen, as it was seen before git was asked. */
interface ThawPlan extends Thaw {
  readonly branches: readonly Branch[];
}

export async function thaw(context: Context, input: ThawInput) {
  const looked = await context.store.read((reader) => look(reader, context, input));
  if (!looked.ok) return looked;
  const unchanged = input.force || input.drop ? ok(undefined) : await requireUnchanged(context, looked.value);
  if (!unchanged.ok) return unchanged;
  return actWithNumber(context, "thaw", async (writer, at) => {
    const again = await look(writer, context, input);
    if (!again.ok) return again;
    const { branches, thawed, stillFrozen } = again.value;
    if (versions(thawed) !== versions(looked.value.thawed)) {
      const names = summary(branches.map(([root]) => root.id));
      return refused("changed", `Something changed ${names} while git compared the files. Try again.`);
    }
    const dropped = input.drop ? branches.flatMap((branch) => toDrop(branch, among(thawed))) : [];
    const may = mayGiveUp(context.actor, dropped);
    if (!may.ok) return may;
    const going = among(dropped);
    const isRoot = among(branches.map(([root]) => root));
    const patchFor = (node: Node): Partial<NodeFields> => ({
      ...(going(node)
        ? dropPatch({ by: context.actor, at, op: writer.op }, node.freeze?.reason ?? null)
        : { freeze: null }),
      ...(isRoot(node) ? { replansGranted: node.replansGranted + (input.grantBudget ?? 0) } : {}),
    });
    const value = {
      thawed: idsOf(thawed),
      dropped: idsOf(dropped),
      endedClaims: claimsOn(dropped),
      stillFrozen: idsOf(stillFrozen),
    };
    const settled = await settleForced(writer, thawed, { by: context.actor, at });
    const changes = [...thawed.flatMap((node) => changeNode(node, patchFor(node))), ...settled];
    const verb = input.drop ? "gave up the frozen" : "thawed";
    return ok({ sentence: `${context.actor} ${verb} ${summary(value.thawed)}`, changes, value });
  });
}

async function look(reader: Reader, context: Context, input: ThawInput): Promise<Result<ThawPlan>> {
  const { actor } = context;
  const grants = input.grantBudget === undefined ? ok(undefined) : requirePerson(actor, "grant a budget");
  if (!grants.ok) return grants;
  const scope = await scopeOf(reader, context, input);
  if (!scope.ok) return scope;
  const held = scope.value.thawed.find((node) => isPerson(node.freeze?.by ?? ""));
  const may = held ? requirePerson(actor, `thaw what ${held.freeze?.by ?? "a person"} froze`) : ok(undefined);
  if (!may.ok) return may;
  const decided = input.force || input.drop ? ok(undefined) : await requireDecided(reader, scope.value.thawed);
  return decided.ok ? scope : decided;
}

/** Goes from the top, so that a node that thaws with another one is not thawed twice. */
async function scopeOf(
  reader: Reader,
  context: Context,
  { references, partial }: ThawInput,
): Promise<Result<ThawPlan>> {
  const roots = await resolveAll(reader, references, context);
  if (!roots.ok) return roots;
  const branches: Branch[] = [];
  const thawed = new Map<Nr, Node>();
  const stillFrozen = new Map<Nr, Node>();
  for (const root of roots.value.sort((a, b) => tierRank(a.tier) - tierRank(b.tier))) {
    if (thawed.has(root.nr)) continue;
    const branch = await branchOf(reader, root);
    const scope = toThaw(branch, partial ?? false);
    if (!scope.ok) return scope;
    branches.push(branch);
    for (const node of scope.value.thawed) thawed.set(node.nr, node);
    for (const node of scope.value.stillFrozen) stillFrozen.set(node.nr, node);
  }
  for (const nr of thawed.keys()) stillFrozen.delete(nr);
  return ok({ branches, thawed: [...thawed.values()], stillFrozen: [...stillFrozen.values()] });
}

/** A conflict that froze something has to be decided first. */
async function requireDecided(reader: Reader, nodes: readonly Node[]): Promise<Result<void>> {
  const [first] = await openConflicts(reader, nodes);
  if (!first) return ok(undefined);
  const { id, conflict } = first;
  return refused("conflict-open", `${id} is frozen because of ${conflict.key}, which is not decided yet.`, {
    next: [step("conflicts.show", { id: conflict.key })],
    details: { id, conflict: conflict.key },
  });
}

async function openConflicts(reader: Reader, nodes: readonly Node[]) {
  const open = new Map<string, { readonly id: string; readonly conflict: Item<"conflict"> }>();
  for (const node of nodes) {
    const key = conflictBehind(node);
    const conflict = key === undefined || open.has(key) ? undefined : await reader.item("conflict", key);
    if (conflict?.fields.state === "open") open.set(conflict.key, { id: node.id, conflict });
  }
  return [...open.values()];
}

/** Thawing by force decides the conflicts behind the freeze. */
async function settleForced(writer: Writer, nodes: readonly Node[], maker: Maker): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { conflict } of await openConflicts(writer, nodes)) {
    const settled = settledWith(conflict, `${maker.by} thawed it by force`, maker);
    changes.push(...settled, ...(await withdraw(writer, conflict.key)));
  }
  return changes;
}

const versions = (nodes: readonly Node[]): string => nodes.map((node) => `${node.nr}@${node.revision}`).join();

function among(nodes: readonly Node[]): (node: Node) => boolean {
  const known = new Set<Nr>(nodes.map((node) => node.nr));
  return (node) => known.has(node.nr);
}

/** Nodes that were frozen at one commit, and whose work begins at the same commit now. */
interface FrozenAt {
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly files: Set<string>;
}

/** Work that was planned on files which have changed since may no longer fit them. */
async function requireUnchanged(context: Context, { branches, thawed }: ThawPlan): Promise<Result<void>> {
  const next = branches.slice(0, 1).map(([root]) => step("show", { reference: root.id }));
  const groups = await frozenGroups(context, thawed);
  const changed = new Set<string>();
  for (const group of groups) {
    const footprint = [...group.files];
    const found = await changedSince(context, group).catch(() => undefined);
    if (found === undefined) {
      const message = `Git cannot compare the files with ${group.from}, the commit of the freeze. Look at them yourself, then thaw by force.`;
      return refused("changed-since-freeze", message, { details: { files: footprint }, next });
    }
    const met = overlap({ files: footprint, symbols: [] }, { files: found, symbols: [] });
    for (const file of found) if (met?.files.includes(file)) changed.add(file);
  }
  if (changed.size === 0) return ok(undefined);
  const files = [...changed].sort();
  const list = files.map((file) => `  ${file}`).join("\n");
  const message = `These files changed since the freeze. Look at them, and if the plan still fits thaw by force; edit or drop what does not:\n${list}`;
  return refused("changed-since-freeze", message, { details: { files }, next });
}

async function frozenGroups(context: Context, nodes: readonly Node[]): Promise<Iterable<FrozenAt>> {
  const groups = new Map<string, FrozenAt>();
  const held = nodes.filter(({ freeze, files }) => freeze?.commit && files.length > 0);
  if (held.length === 0) return [];
  const tipOf = await readWorkTips(context);
  await context.store.read(async (reader) => {
    for (const node of held) {
      const { at = 0, commit } = node.freeze ?? {};
      const [from, to] = [commit ?? "", (await tipOf(reader, node)) ?? ""];
      const key = `${at} ${from} ${to}`;
      const group = groups.get(key) ?? { at, from, to, files: new Set<string>() };
      for (const file of node.files) group.files.add(file);
      groups.set(key, group);
    }
  });
  return groups.values();
}

/** On the branch where the work begins, and in the checkout what was written since and is not committed. */
async function changedSince({ cwd, root }: Context, { at, from, to }: FrozenAt): Promise<string[]> {
  const folder = folderSeenFrom(cwd, root);
  const committed = from === to ? [] : await changedFilesBetween(folder, from, to);
  const dirty = (await changedFiles(folder, "HEAD", ["."])) ?? [];
  return [...committed, ...dirty.filter((path) => wasWrittenSince(folder, path, at))];
}

/** File systems stamp files with a clock that lags behind by as much. */
const CLOCK_LAG_MS = 20;

/** Of a file that is gone, its folder tells. */
function wasWrittenSince(folder: string, path: string, at: number): boolean {
  for (let each = resolvePath(folder, path); isInside(each, folder); each = dirname(each)) {
    const found = statOf(each);
    if (found) return found.ctimeMs >= at - CLOCK_LAG_MS;
  }
  return true;
}
