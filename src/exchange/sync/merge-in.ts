// Brings in what other clones did, as one operation that can be undone.

import { type CloneSeal, cloneText, type KnownClone } from "../../model/item/clone.js";
import { type MergedPlan, mergePlans } from "../../model/merge/merge.js";
import { readyOperations, type Seen } from "../../model/merge/shared-operation.js";
import type { Change } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { sha256 } from "../../store/sha256.js";
import { idOfSignature, isSignedBy } from "../../store/signer.js";
import type { Reader, Writer } from "../../store/store.js";
import { type CloneItem, keepLines, keptLines, NEW_CLONE, noteClone, readClones } from "./clones.js";
import { Inward, type Trust } from "./inward.js";
import { remarks } from "./remarks.js";
import { counted, untold } from "./share.js";
import { type CloneMeta, nextDigest, readShared, type SharedLine } from "./wire.js";

/** All that a clone has told, as it was found. */
export interface Incoming {
  readonly meta: CloneMeta;
  readonly lines: readonly string[];
}

/** Why what a clone says is not taken. */
export interface Refused {
  readonly clone: string;
  readonly name: string;
  readonly problem: string;
}

export interface MergeAnswer {
  readonly merged: readonly { readonly clone: string; readonly name: string; readonly operations: number }[];
  readonly refused: readonly Refused[];
  /** Operations that other clones knew and that are nowhere. */
  readonly missing: Seen;
  readonly questions: number;
  readonly renamed: readonly { readonly was: string; readonly id: string }[];
  /** Who approved something without this plan knowing them. */
  readonly unknown: readonly string[];
}

interface Told {
  readonly id: string;
  readonly known: CloneItem | undefined;
  readonly meta: CloneMeta | undefined;
  readonly texts: readonly string[];
  readonly lines: readonly SharedLine[];
}

export interface MergeInput {
  readonly incoming: readonly Incoming[];
  readonly isHere: (commit: string) => boolean;
}

/** A clone that has told nothing yet. */
const THIS = "here";

export async function decideMerge(writer: Writer, { incoming, isHere }: MergeInput) {
  const clonesHere = await readClones(writer);
  const { own, others } = clonesHere;
  const refused: Refused[] = [];
  const told: Told[] = [];
  const named = new Map(incoming.map((each) => [each.meta.clone, each]));
  for (const id of new Set([...others.map(({ key }) => key), ...named.keys()])) {
    const known = others.find(({ key }) => key === id);
    const found = named.get(id);
    if (id === own?.key) continue;
    const read = found ? readTold(found, known) : undefined;
    if (found && typeof read === "string") refused.push({ clone: id, name: found.meta.name, problem: read });
    if (read !== undefined && typeof read !== "string") told.push({ id, known, meta: found?.meta, ...read });
    else if (known) told.push({ id, known, meta: undefined, ...parsed(await keptLines(writer, known), id) });
  }
  // Also what was done here meanwhile and no one was told yet: it must not seem undone.
  const self = own?.key ?? THIS;
  const ownTexts = [...(own ? await keptLines(writer, own) : []), ...(await untold(writer, self, clonesHere)).lines];
  const ownLines = parsed(ownTexts, self).lines;
  const { ready, missing } = readyOperations([...ownLines, ...told.flatMap(({ lines }) => lines)]);
  const reached = new Map<string, number>();
  for (const { clone, seq } of ready) reached.set(clone, seq);
  const changes: Change[] = [];
  const merged: { clone: string; name: string; operations: number }[] = [];
  const clones = new Map<string, KnownClone>();
  for (const each of told) {
    const { fields, fresh } = await taken(writer, each, reached.get(each.id) ?? 0);
    clones.set(each.id, fields);
    if (fresh > 0) merged.push({ clone: each.id, name: fields.name, operations: fresh });
    if (fresh > 0 || each.known) changes.push(...noteClone(each.id, each.known, fields));
  }
  const plan = mergePlans(ready);
  const trust = await trustOf(writer, { own: self, clones, isHere, lines: told.flatMap(({ lines }) => lines) });
  const inward = new Inward(writer, plan, trust);
  const rows = await inward.changes();
  const beside = await remarks(writer, plan, inward);
  const value = answerOf(plan, merged, refused, missing, inward, beside.questions);
  return ok({ sentence: sentenceOf(merged), changes: [...changes, ...rows, ...beside.changes], value });
}

const answerOf = (
  { renamed }: MergedPlan,
  merged: MergeAnswer["merged"],
  refused: readonly Refused[],
  missing: Seen,
  { unknown }: Inward,
  questions: number,
): MergeAnswer => ({
  merged,
  refused,
  missing,
  questions,
  renamed: renamed.map(({ was, id }) => ({ was, id })),
  unknown: [...new Set(unknown.map(({ by }) => by))],
});

function sentenceOf(merged: MergeAnswer["merged"]): string {
  if (merged.length === 0) return "merged again what other clones did";
  const [first, ...rest] = merged.map(({ name, operations }) => ({ name, operations }));
  const others = rest.map(({ name, operations }) => `${operations} of ${name}`);
  return ["merged", [`${counted(first?.operations ?? 0)} of ${first?.name}`, ...others].join(", ")].join(" ");
}

const parsed = (texts: readonly string[], clone: string): Pick<Told, "texts" | "lines"> => ({
  texts,
  lines: texts.flatMap((text) => readShared(text, clone) ?? []),
});

/** What a clone tells, if it is the same as before and more; otherwise what is wrong. */
function readTold(
  { meta, lines: texts }: Incoming,
  known: CloneItem | undefined,
): Pick<Told, "texts" | "lines"> | string {
  const lines: SharedLine[] = [];
  let digest = "";
  let isKnown = known === undefined || known.fields.seq === 0;
  for (const text of texts) {
    const line = readShared(text, meta.clone);
    if (line === undefined) return `line ${lines.length + 1} of what it shares cannot be read`;
    if (line.seq <= (lines.at(-1)?.seq ?? 0)) return `its operations are out of order at number ${line.seq}`;
    digest = nextDigest(digest, text);
    lines.push(line);
    isKnown ||= line.seq === known?.fields.seq && digest === known.fields.digest;
  }
  if (digest !== meta.digest) return "what it shares is not whole";
  // An older state of it is no harm: what is known already stays.
  if (!isKnown && (lines.at(-1)?.seq ?? 0) < (known?.fields.seq ?? 0)) return "it shares less than it did before";
  return isKnown ? { texts, lines } : "what it shared before was changed since";
}

/** What becomes known of a clone. */
async function taken(writer: Writer, { known, meta, texts, lines }: Told, reached: number) {
  const before = known?.fields ?? { ...NEW_CLONE, state: "other" as const, name: "" };
  const name = meta?.name ?? before.name;
  const first = lines.findIndex(({ seq }) => seq > before.seq);
  const fresh = first < 0 ? [] : lines.slice(first).filter(({ seq }) => seq <= reached);
  const freshTexts = first < 0 ? [] : texts.slice(first, first + fresh.length);
  for (const statement of new Set(fresh.flatMap(({ statements = [] }) => statements))) await writer.keep(statement);
  let { digest } = before;
  for (const text of freshTexts) digest = nextDigest(digest, text);
  const last = fresh.at(-1);
  const latest = freshTexts.length === 0 ? before.latest : await keepLines(writer, before.latest, freshTexts);
  const newest = last ? { seq: last.seq, time: last.time, seen: last.seen } : {};
  const fields: KnownClone = { ...before, ...newest, name, digest, latest };
  const sealed = meta && holds(meta.sealed, texts, lines, fields.seq) ? meta.sealed : before.sealed;
  return { fields: { ...fields, sealed }, fresh: fresh.length };
}

/** Whether it is about what is here. */
function holds(
  sealed: CloneSeal | null,
  texts: readonly string[],
  lines: readonly SharedLine[],
  until: number,
): boolean {
  if (sealed === null || sealed.seq > until) return false;
  const count = lines.filter(({ seq }) => seq <= sealed.seq).length;
  return texts.slice(0, count).reduce(nextDigest, "") === sealed.digest;
}

interface Grounds {
  readonly own: string;
  readonly clones: ReadonlyMap<string, KnownClone>;
  readonly isHere: (commit: string) => boolean;
  readonly lines: readonly SharedLine[];
}

async function trustOf(reader: Reader, { own, clones, isHere, lines }: Grounds): Promise<Trust> {
  const signed = new Map<string, number>();
  for (const [id, { sealed }] of clones) {
    const person = sealed ? await reader.people.enrolled(idOfSignature(sealed.seal)) : undefined;
    if (sealed && person && isSignedBy(person.key, cloneText(id, sealed), sealed.seal)) signed.set(id, sealed.seq);
  }
  const statements = new Map(lines.flatMap(({ statements = [] }) => statements.map((each) => [sha256(each), each])));
  return { own, isHere, statements, isSigned: ({ clone, seq }) => seq <= (signed.get(clone) ?? 0) };
}
