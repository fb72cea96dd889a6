import { hostname } from "node:os";
import { dirname } from "node:path";
import { userOf } from "../../config/actor.js";
import type { SyncAnswer, SyncPlace } from "../../exchange/sync/sync.js";
import { findRepository } from "../../machine/git/repository.js";
import {
  absent,
  type Context,
  type Folder,
  fields,
  flag,
  folderVerb,
  ok,
  optional,
  plural,
  type Result,
  refused,
  step,
  text,
  usage,
} from "../kit/verb.js";

export const input = fields({
  remote: optional(text("the git remote to share through; origin, or the only one, unless given", "REMOTE")),
  dryRun: optional(flag("show what would be merged and shared, and change nothing")),
});

export const verb = folderVerb({
  command: { words: "sync", group: "tool", positional: ["remote"] },
  summary: "Share the plan with other clones through git",
  description:
    "Fetches what others did in their clones, merges it into your plan as one operation that you can undo, and pushes what was done here. It needs no server: each clone has one ref below refs/planwright/clones. What two clones said differently becomes a question. An approval counts here only if a person signed it whom this plan knows. In a clone without a plan it gets the one that is shared.",
  effect: "runs",
  input,
  examples: [
    { input: {}, does: "merges what others did, and shares what was done here" },
    { input: { dryRun: true }, does: "shows what a sync would merge" },
  ],
  run: async (folder, { remote: named, dryRun = false }) => {
    const { root, exists } = folder.workspace();
    const remote = await remoteAt(root, named);
    if (!remote.ok) return remote;
    if (exists) return sync(folder, await folder.open(), remote.value, dryRun);
    const { remoteClones } = await import("../../machine/git/clone-refs/clone-refs.js");
    const shared = await remoteClones(root, remote.value);
    if (shared.size === 0)
      return absent("no-plan", `There is no plan here, and none is shared at ${remote.value}.`, {
        next: [step("init")],
      });
    if (dryRun) return ok({ ...NOTHING, remote: remote.value, waiting: shared.size });
    return folder.create(async (context, store) => {
      const { setUpFolder } = await import("../../plan/repository/main-branch.js");
      const prepared = await setUpFolder(context.root, dirname(store));
      return prepared.ok ? sync(folder, context, remote.value, false) : prepared;
    });
  },
  text: ({ op, remote, merged, shared, questions, waiting, dryRun }, style) => {
    const would = dryRun ? "Would have " : "";
    const said = (word: string): string =>
      dryRun ? `${would}${word}` : `${style.green("✓")} ${word.charAt(0).toUpperCase()}${word.slice(1)}`;
    const lines = merged.map(({ name, operations }) => said(`merged ${plural(operations, "operation")} of ${name}`));
    if (shared > 0) lines.push(said(`shared ${plural(shared, "operation")} at ${remote}`));
    if (op !== null && merged.length === 0) lines.push(said("changed what counts here of what was merged before"));
    if (waiting > 0) lines.push(`${plural(waiting, "clone shares", "clones share")} a plan at ${remote}.`);
    if (questions > 0) lines.push(`${plural(questions, "question")} came of it.`);
    return lines.length === 0 ? style.dim(`Nothing new at ${remote}.`) : lines.join("\n");
  },
  note: ({ refused: problems, missing, renamed, unknown }) => [
    ...problems.map(({ name, problem }) => `Left out ${name}: ${problem}.`),
    Object.keys(missing).length > 0 &&
      "Some operations wait for those of a clone that is not shared here. They are merged once it syncs again.",
    ...renamed.map(({ was, id }) => `${was} was given twice: the newer one is ${id} now.`),
    unknown.length > 0 &&
      `Approvals by ${unknown.join(", ")} do not count here yet, because this plan does not know their key. Compare it with them, and add it:`,
  ],
  next: ({ op, questions, strangers, unknown }) => [
    ...strangers
      .filter(({ name }) => unknown.includes(name))
      .map(({ name, key }) => step("people.add", { key, name: name.replace(/^human:/, "") })),
    ...(questions > 0 ? [step("question.list")] : []),
    ...(op === null ? [] : [step("undo", { operation: op })]),
  ],
});

type Answer = SyncAnswer & { readonly remote: string; readonly waiting: number; readonly dryRun: boolean };

const NOTHING: Omit<Answer, "remote"> = {
  merged: [],
  refused: [],
  missing: {},
  questions: 0,
  renamed: [],
  unknown: [],
  shared: 0,
  op: null,
  strangers: [],
  waiting: 0,
  dryRun: true,
};

async function sync(
  { env }: Folder,
  { store, actor, now, head, root }: Context,
  remote: string,
  dryRun: boolean,
): Promise<Result<Answer>> {
  const { previewSync, syncWith } = await import("../../exchange/sync/sync.js");
  const place: SyncPlace = { store, actor, now, head, folder: root, name: `${userOf(env)} (${hostname()})` };
  const done = await (dryRun ? previewSync : syncWith)(place, remote);
  return done.ok ? ok({ ...done.value, remote, waiting: 0, dryRun }) : done;
}

/** The remote that was named, or the usual one. */
async function remoteAt(root: string, named: string | undefined): Promise<Result<string>> {
  if (findRepository(root) === undefined)
    return refused("no-repository", "A plan is shared through git, and this folder is in no git repository.");
  const { listRemotes } = await import("../../machine/git/push.js");
  const names = (await listRemotes(root)).map(({ name }) => name);
  const remote = named ?? (names.includes("origin") ? "origin" : names.length === 1 ? names[0] : undefined);
  if (remote !== undefined && names.includes(remote)) return ok(remote);
  if (named === undefined && names.length === 0)
    return refused("no-remote", "This repository has no remote to share a plan through. Add one with git remote add.");
  const known = names.length === 0 ? "It has none." : `It has ${names.join(", ")}.`;
  return usage(
    "unknown-remote",
    `${named === undefined ? "Which remote?" : `This repository has no remote ${named}.`} ${known}`,
  );
}
