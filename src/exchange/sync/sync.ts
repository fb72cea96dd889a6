// One plan in many clones, without a server: fetches what others did, brings it in, and tells what was done here.

import {
  cloneRef,
  commitsHere,
  fetchClones,
  fetchedClones,
  pushClone,
  readClone,
  remoteClones,
  restoreClones,
  writeClone,
} from "../../machine/git/clone-refs/clone-refs.js";
import type { Actor } from "../../model/actor.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Reader, Store, Writer } from "../../store/store.js";
import { keptTexts, readClones } from "./clones.js";
import { decideMerge, type Incoming, type MergeAnswer, type Refused } from "./merge-in.js";
import { decideShare, SHARE, SYNC } from "./share.js";
import { type CloneMeta, readMeta, readShared, textLines, VERSION } from "./wire.js";

export interface SyncPlace {
  readonly store: Store;
  readonly actor: Actor;
  readonly now: () => number;
  readonly head: () => string | null;
  /** A folder of the repository. */
  readonly folder: string;
  /** What other clones call this one. */
  readonly name: string;
}

export interface SyncAnswer extends MergeAnswer {
  /** Operations that were told now. */
  readonly shared: number;
  /** The operation that brought the others' in; null if there was nothing. */
  readonly op: number | null;
  /** People whom other plans know, and this one does not. */
  readonly strangers: CloneMeta["people"];
}

export async function syncWith(place: SyncPlace, remote: string): Promise<Result<SyncAnswer>> {
  const found = await lookAt(place, remote);
  if (!found.ok) return found;
  const shared = await share(place);
  if (!shared.ok) return shared;
  const merged = await commit(place, SYNC, (writer) => decideMerge(writer, found.value));
  if (!merged.ok) return merged;
  // The merge may have made land tasks of its own.
  const again = await share(place);
  if (!again.ok) return again;
  const told = await tell(place, remote);
  if (!told.ok) return told;
  return ok(answer(merged.value.value, merged.value.op, shared.value + again.value, found.value));
}

/** What a sync would do, looked at and not done. */
export async function previewSync(place: SyncPlace, remote: string): Promise<Result<SyncAnswer>> {
  const found = await lookAt(place, remote);
  if (!found.ok) return found;
  const { store, now, actor, name } = place;
  const shared = await store.rehearse(now, async (writer) => decideShare(writer, actor, name));
  if (!shared.ok) return shared;
  const merged = await store.rehearse(now, async (writer) => decideMerge(writer, found.value));
  if (!merged.ok) return merged;
  return ok(answer(merged.value.value, null, shared.value.value.shared, found.value));
}

const answer = (merged: MergeAnswer, op: number | null, shared: number, found: Found): SyncAnswer => ({
  ...merged,
  refused: [...found.refused, ...merged.refused],
  op,
  shared,
  strangers: found.strangers,
});

const commit = <T>(
  { store, actor, now, head }: SyncPlace,
  verb: string,
  decide: Parameters<typeof store.commit<T>>[1],
) => store.commit({ actor, verb, now, commit: head() }, decide);

async function share(place: SyncPlace): Promise<Result<number>> {
  const done = await commit(place, SHARE, (writer: Writer) => decideShare(writer, place.actor, place.name));
  return done.ok ? ok(done.value.value.shared) : done;
}

interface Found {
  readonly incoming: readonly Incoming[];
  readonly refused: readonly Refused[];
  readonly isHere: (commit: string) => boolean;
  readonly strangers: CloneMeta["people"];
}

async function lookAt({ folder, store }: SyncPlace, remote: string): Promise<Result<Found>> {
  const fetched = await fetchClones(folder, remote);
  if (fetched.problem !== null) return refused("remote-failed", `git cannot fetch from ${remote}: ${fetched.problem}`);
  const own = await store.read(async (reader) => (await readClones(reader)).own?.key ?? null);
  const incoming: Incoming[] = [];
  const problems: Refused[] = [];
  for (const [clone, commit] of await fetchedClones(folder, remote)) {
    const files = await readClone(folder, commit);
    const meta = readMeta(files?.meta ?? "");
    const problem = problemWith(clone, meta);
    if (problem !== undefined) problems.push({ clone, name: meta?.name ?? clone, problem });
    else if (meta && files) incoming.push({ meta, lines: [...files.segments.values()].flatMap(textLines) });
  }
  const isFresh = await ownIsFresh(store, incoming, own);
  if (!isFresh.ok) return isFresh;
  const others = incoming.filter(({ meta }) => meta.clone !== own);
  const commits = new Set(others.flatMap(({ lines, meta }) => lines.flatMap((line) => commitsIn(line, meta.clone))));
  const here = await commitsHere(folder, [...commits]);
  const strangers = await store.read((reader) => strangersIn(reader, others));
  return ok({ incoming: others, refused: problems, isHere: (commit) => here.has(commit), strangers });
}

function problemWith(clone: string, meta: CloneMeta | undefined): string | undefined {
  if (meta === undefined) return "what it shares cannot be read";
  if (meta.version > VERSION) {
    return `it was written by a newer program (format ${meta.version}; this one reads ${VERSION}). Update Planwright`;
  }
  return meta.clone === clone ? undefined : `it says that it is ${meta.clone}`;
}

/** Another folder may share under our name: a copy of the plan's file. */
async function ownIsFresh(store: Store, incoming: readonly Incoming[], own: string | null): Promise<Result<void>> {
  const told = incoming.find(({ meta }) => meta.clone === own);
  if (!told) return ok(undefined);
  const known = await store.read(async (reader) => (await readClones(reader)).own?.fields);
  const isOurs = told.meta.seq <= (known?.seq ?? 0);
  if (isOurs) return ok(undefined);
  const message =
    "The remote has operations of this clone that are not in its plan: the plan's file was copied, or an older one was put back. Nothing was changed.";
  return refused("copied-plan", message);
}

const commitsIn = (text: string, clone: string): readonly string[] =>
  (readShared(text, clone)?.changes ?? []).flatMap(({ is }) => {
    const commit = (is?.["report"] as { commit?: unknown } | null | undefined)?.commit;
    return typeof commit === "string" && /^[0-9a-f]{40,64}$/.test(commit) ? [commit] : [];
  });

async function strangersIn(reader: Reader, incoming: readonly Incoming[]): Promise<CloneMeta["people"]> {
  const strangers = new Map<string, CloneMeta["people"][number]>();
  const known = new Set((await reader.items("person", {})).map(({ fields }) => fields.key));
  for (const each of incoming.flatMap(({ meta }) => meta.people))
    if (!known.has(each.key)) strangers.set(each.key, each);
  return [...strangers.values()];
}

/** Writes what the database says onto the ref of this clone, and pushes it, also if the remote has lost it. */
async function tell(place: SyncPlace, remote: string): Promise<Result<void>> {
  const { folder, store } = place;
  const told = await store.read(async (reader) => {
    const { own } = await readClones(reader);
    if (!own || own.fields.seq === 0) return undefined;
    const people = await reader.items("person", { state: "known" });
    return {
      own,
      texts: await keptTexts(reader, own.fields.latest),
      people: people.map(({ fields: { name, key } }) => ({ name, key })),
    };
  });
  if (!told) return ok(undefined);
  const { own, texts, people } = told;
  const { name, seq, digest, sealed } = own.fields;
  const meta = { version: VERSION, clone: own.key, name, seq, digest, sealed, people };
  const segments = new Map(texts.map((text) => [segmentName(text), text]));
  const said = {
    meta: `${JSON.stringify(meta, null, 2)}
`,
    segments,
  };
  await writeClone(folder, { clone: own.key, remote, message: `${name}: ${seq}` }, said);
  const pushed = await pushClone(folder, remote, own.key);
  if (pushed.problem !== null) {
    return refused("remote-failed", `git cannot push ${cloneRef(own.key)} to ${remote}: ${pushed.problem}`);
  }
  await giveBack(folder, remote);
  return ok(undefined);
}

const seqOf = (line: string | undefined): string => /"seq":(\d+)/.exec(line ?? "")?.[1] ?? "0";

const segmentName = (text: string): string => {
  const lines = textLines(text);
  return `${seqOf(lines[0])}-${seqOf(lines.at(-1))}.jsonl`;
};

/** A push --mirror of another person deletes what it does not know. */
async function giveBack(folder: string, remote: string): Promise<void> {
  const there = await remoteClones(folder, remote);
  const lost = [...(await fetchedClones(folder, remote))].filter(([clone]) => !there.has(clone));
  if (lost.length > 0) await restoreClones(folder, remote, new Map(lost));
}
