// Operations as text: one line of JSON each. The lines of a clone are chained by a hash, so nothing in them can be changed unseen.

import { isRecord } from "../../base/json.js";
import type { CloneSeal } from "../../model/item/clone.js";
import type { SharedChange, SharedOperation } from "../../model/merge/shared-operation.js";
import { isUuid } from "../../model/node/ids.js";
import { sha256 } from "../../store/sha256.js";

/** What this program reads and writes. A newer number is not read. */
export const VERSION = 1;

/** Besides the operation: what people signed in it. */
export interface SharedLine extends SharedOperation {
  readonly statements?: readonly string[];
}

export interface CloneMeta {
  readonly version: number;
  readonly clone: string;
  readonly name: string;
  readonly seq: number;
  readonly digest: string;
  readonly sealed: CloneSeal | null;
  /** Whom its plan knows. No one here is trusted for being in this list. */
  readonly people: readonly { readonly name: string; readonly key: string }[];
}

export const sharedText = (line: SharedLine): string => JSON.stringify(line);

export const nextDigest = (digest: string, line: string): string => sha256(`${digest}\n${line}`);

export const textLines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** Undefined of what is no operation of this clone. */
export function readShared(text: string, clone: string): SharedLine | undefined {
  const line = parse(text);
  if (!isRecord(line) || line["clone"] !== clone || !isRecord(line["seen"])) return undefined;
  const { seq, time, at, by, verb, sentence, changes, statements = [] } = line;
  const isNumbered =
    isCount(seq) && seq > 0 && isCount(time) && isCount(at) && Object.values(line["seen"]).every(isCount);
  const isTold = [by, verb, sentence].every((each) => typeof each === "string");
  if (!isNumbered || !isTold || !Array.isArray(changes) || !Array.isArray(statements)) return undefined;
  const areStated = statements.every((each) => typeof each === "string");
  return areStated && changes.every(isChange) ? (line as unknown as SharedLine) : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isChange(value: unknown): value is SharedChange {
  if (!isRecord(value) || typeof value["entity"] !== "string" || typeof value["id"] !== "string") return false;
  const isImage = (image: unknown): boolean => image === null || isRecord(image);
  const isNode = value["entity"] !== "node" || isUuid(value["id"]);
  return isNode && isImage(value["was"]) && isImage(value["is"]) && !(value["was"] === null && value["is"] === null);
}

export function readMeta(text: string): CloneMeta | undefined {
  const meta = parse(text);
  if (!isRecord(meta) || !isCount(meta["version"])) return undefined;
  // Of a newer version only the number counts.
  if (meta["version"] > VERSION) return { ...NOBODY, version: meta["version"], name: nameIn(meta["name"]) };
  const { clone, name, seq, digest, people } = meta;
  if (![clone, name, digest].every((each) => typeof each === "string") || !isCount(seq)) return undefined;
  const known = (Array.isArray(people) ? people : []).filter(
    (each) => isRecord(each) && typeof each["name"] === "string" && typeof each["key"] === "string",
  );
  return { ...(meta as unknown as CloneMeta), sealed: readSealed(meta["sealed"]), people: known };
}

const nameIn = (value: unknown): string => (typeof value === "string" ? value : "");

const NOBODY: CloneMeta = { version: 0, clone: "", name: "", seq: 0, digest: "", sealed: null, people: [] };

function readSealed(value: unknown): CloneSeal | null {
  if (!isRecord(value) || !isCount(value["seq"])) return null;
  const { seq, digest, seal } = value;
  return typeof digest === "string" && typeof seal === "string" ? { seq, digest, seal } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
