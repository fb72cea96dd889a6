// What goes into the bundle of a task, gathered from the plan as it is, with a hash of each thing.

import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { git, succeeded } from "../../machine/git/git.js";
import { featureBranch, readRef } from "../../machine/git/refs.js";
import { isPerson } from "../../model/actor.js";
import { behavioursNamed, expandBehaviours, type Packed, purposesIn } from "../../model/item/bundle.js";
import type { BundledAncestor, BundledFile, BundledResult, BundleInput } from "../../model/item/bundle-text.js";
import { FOLDER } from "../../model/item/bundle-text.js";
import type { Item } from "../../model/item/item.js";
import { selectLessons } from "../../model/item/lesson.js";
import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { deriveStatus } from "../../model/status/status.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { hashFile } from "../base/workspace-file.js";
import { hashOf } from "../node/approve.js";
import { vouchedText } from "../node/vouched-text.js";
import { activeRecords } from "../record/save-record.js";

/** `fitting`: what is relevant now; a list of keys: those, as long as they are kept. */
export type WantedLessons = "fitting" | readonly string[];

export interface Contents extends Omit<Packed, "hash"> {
  readonly input: BundleInput;
}

const hashOfAll = (...parts: readonly unknown[]): string => sha256(JSON.stringify(parts)).slice(0, 32);

export async function gatherContents(
  reader: Reader,
  context: Context,
  task: Node,
  wanted: WantedLessons,
  looked?: FileHash,
): Promise<Result<Contents>> {
  const path = await ancestorsOf(reader, task);
  const results = await resultsOf(reader, task);
  const records = await activeRecords(reader, task.feature);
  const lessons = await lessonsFor(reader, task, path, wanted);
  const maps = await mapsFor(reader, task);
  const ids = behavioursNamed(task.body);
  const purposes = purposesIn(maps.files?.value, ids);
  const hashOfFile = looked ?? (await bundleFiles(reader, context, task));
  const own: BundledFile[] = [];
  for (const file of task.files) {
    const hash = await hashOfFile(file);
    if (hash === null) return leadsOut(task, file);
    own.push({ path: file, ...(purposes.get(file) ?? { action: "", purpose: "" }), hash });
  }
  const made = await madeBefore(hashOfFile, results, task.files);
  const parts: Record<string, string> = {};
  for (const { id, title, body, discoveries } of path) parts[id] = hashOfAll(title, body, discoveries);
  for (const { id, status, commit, created, modified } of results) {
    parts[id] = hashOfAll(status, commit, created, modified);
  }
  for (const { key, fields } of records) {
    parts[key] = hashOfAll(fields.title, fields.body, fields.because, fields.measure, fields.forbids);
  }
  for (const map of [maps.capabilities, maps.files]) if (map && ids.length > 0) parts[map.key] = map.hash;
  for (const { key, fields } of lessons) parts[key] = hashOfAll(fields.text);
  const input: BundleInput = {
    task,
    path,
    behaviours: expandBehaviours(maps.capabilities?.value, ids),
    files: [...own, ...made.files],
    records,
    results,
    lessons: lessons.map(({ key, fields: { text, createdBy: by, approvedBy = null } }) => ({
      key,
      text,
      by,
      approvedBy,
    })),
  };
  const files = Object.fromEntries(input.files.map((file) => [file.path, file.hash]));
  return ok({ input, content: await hashOf(reader, task), parts, files, needed: made.needed });
}

/** The ancestors from the outermost to the nearest, with what people found out there. */
async function ancestorsOf(reader: Reader, task: Node): Promise<BundledAncestor[]> {
  const path: BundledAncestor[] = [];
  for (const node of (await reader.ancestors(task.nr)).toReversed()) {
    const { id, tier, discoveries, approval } = node;
    const { title, body } = await vouchedText(reader, node);
    // What agents found out is for planning. It reaches a worker when a person writes it into the plan.
    const found = discoveries.filter(({ by }) => isPerson(by)).map(({ note, by }) => ({ note, by }));
    path.push({ id, tier, title, body: body ?? "", approvedBy: approval?.by ?? null, discoveries: found });
  }
  return path;
}

async function resultsOf(reader: Reader, task: Node): Promise<BundledResult[]> {
  const results: BundledResult[] = [];
  for (const { target } of await reader.dependencies(task)) {
    const { status } = deriveStatus(target, await reader.surroundings(target));
    const { commit = null, created = [], modified = [] } = target.report ?? {};
    results.push({ id: target.id, title: target.title, status: status.replace("_", " "), commit, created, modified });
  }
  return results;
}

/** What dependencies made and the task does not name itself. What a worker says it made elsewhere is not looked at. */
async function madeBefore(hashOfFile: FileHash, results: readonly BundledResult[], own: readonly string[]) {
  const made = new Map<string, string>();
  for (const { id, status, created } of results) {
    if (status === "done") for (const file of created) made.set(file, id);
  }
  const files: BundledFile[] = [];
  const needed: string[] = [];
  for (const [path, id] of made) {
    const hash = await hashOfFile(path);
    if (hash === null) continue;
    needed.push(path);
    if (!own.includes(path)) files.push({ path, action: "read", purpose: `made by ${id}`, hash });
  }
  return { files, needed };
}

async function lessonsFor(reader: Reader, task: Node, path: readonly BundledAncestor[], wanted: WantedLessons) {
  if (wanted.length === 0) return [];
  const kept = await reader.items("lesson", { state: "kept" });
  if (wanted !== "fitting") return kept.filter(({ key }) => wanted.includes(key));
  const feature = path.find(({ tier }) => tier === "feature");
  const text = [task.title, task.body, feature?.title ?? "", ...task.files, ...task.symbols].join("\n");
  return selectLessons({ text, scope: task.feature }, kept).map(({ key, lesson }) => ({ key, fields: lesson }));
}

/** The maps of the run that made the task, the latest of each. */
async function mapsFor(reader: Reader, task: Node): Promise<{ capabilities?: SourceMap; files?: SourceMap }> {
  for (const map of await reader.items("artifact", { state: "capability-map", newest: true })) {
    const run = await reader.item("run", map.fields.run);
    if (!run || !Object.values(run.fields.applied).includes(task.id)) continue;
    const [files] = await reader.items("artifact", { owner: run.key, state: "file-map", newest: true, limit: 1 });
    return { capabilities: await readMap(reader, map), ...(files && { files: await readMap(reader, files) }) };
  }
  return {};
}

type SourceMap = Awaited<ReturnType<typeof readMap>>;

async function readMap(reader: Reader, { key, fields }: Item<"artifact">) {
  const text = (await reader.document(fields.hash)) ?? "";
  try {
    return { key, hash: fields.hash, value: JSON.parse(text) as unknown };
  } catch {
    return { key, hash: fields.hash, value: null };
  }
}

const leadsOut = ({ id }: Node, file: string): Result<never> =>
  refused("outside-workspace", `${file} of ${id} leaves the workspace through a link. Name the file itself.`, {
    details: { file },
    next: [step("edit", { reference: id })],
  });

/** As `hashFile`: empty if it is not there, `folder` for a folder, null if the path leads out of the workspace. */
type FileHash = (path: string) => Promise<string | null>;

async function bundleFiles(reader: Reader, { root, head }: Context, { feature }: Node): Promise<FileHash> {
  const id = feature === null || head() === null ? undefined : await reader.idOf(feature);
  const tip = id === undefined ? null : await readRef(root, featureBranch(id));
  return tip === null ? async (path) => hashFile(root, path) : (path) => hashAt(root, tip, path);
}

/** The files that the bundle of a task names. */
async function filesOf(reader: Reader, task: Node): Promise<Set<string>> {
  const made = (await reader.dependencies(task)).flatMap(({ target }) => target.report?.created ?? []);
  return new Set([...task.files, ...made]);
}

export interface LookedAt {
  readonly feature: Nr | null;
  readonly hashes: ReadonlyMap<string, string | null>;
}

/** The files of a task's bundle. Reads the plan first and git afterwards, which takes long and must not hold the write lock. */
export async function lookAtFiles(context: Context, task: Node): Promise<LookedAt> {
  const [paths, hashOfFile] = await context.store.read(async (reader) => [
    await filesOf(reader, task),
    await bundleFiles(reader, context, task),
  ]);
  const hashes = new Map<string, string | null>();
  for (const path of paths) hashes.set(path, await hashOfFile(path));
  return { feature: task.feature, hashes };
}

async function hashAt(root: string, tip: string, path: string): Promise<string | null> {
  if (isAbsolute(path) || path.split(/[\\/]/).includes("..")) return null;
  // The workspace may be a folder of the repository.
  const object = `${tip}:./${path}`;
  const type = await git(root, ["cat-file", "-t", object]);
  if (!succeeded(type)) return "";
  if (type.stdout.trim() === "tree") return FOLDER;
  const { stdout } = await git(root, ["cat-file", "blob", object]);
  return createHash("sha256").update(stdout).digest("hex");
}
