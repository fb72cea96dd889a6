// The end of the operation log, noted in a git ref: a program that rewrites the log would have to rewrite this too, and every clone
// that fetched it.

import { git, succeeded } from "../git.js";
import { readLooseObject } from "../loose-object.js";
import { moveRefs, readRef } from "../refs.js";
import { findRepository } from "../repository.js";
import { noteInFiles } from "./note-in-files.js";

export const LOG_HEAD = "refs/planwright/log";

export const FORMER_HEADS = "refs/planwright/former-log";

/** When a note became a former one. Undefined if its name does not say so. */
export function formerAt(ref: string): number | undefined {
  const at = /-at-(\d+)$/.exec(ref)?.[1];
  return at === undefined ? undefined : Number(at);
}

export interface LogHead {
  readonly op: number;
  readonly link: string;
  /** The link of the plan's first operation, which no other plan has. Null in notes of older programs. */
  readonly first?: string | null;
  /** The first operation that was chained when it happened. */
  readonly chainedFrom?: number | null;
}

/** `from`: the object that the ref names. */
async function readNote(cwd: string) {
  const from = await readRef(cwd, LOG_HEAD);
  return { from, noted: from === null ? null : logHeadIn(await readBlob(cwd, from)) };
}

async function readBlob(cwd: string, name: string): Promise<string> {
  const repository = findRepository(cwd);
  const loose = repository && readLooseObject(repository, name, "blob");
  if (loose !== undefined) return loose;
  const result = await git(cwd, ["cat-file", "blob", name]);
  return succeeded(result) ? result.stdout : "";
}

/** Null if nothing was noted yet. */
export const readLogHead = async (cwd: string): Promise<LogHead | null> => (await readNote(cwd)).noted;

function logHeadIn(text: string): LogHead | null {
  const [, op, link, first = null, from] = NOTE.exec(text) ?? [];
  if (op === undefined || link === undefined) return null;
  return { op: Number(op), link, first, chainedFrom: from === undefined ? null : Number(from) };
}

const NOTE = /^(\d{1,15}) ([0-9a-f]{64})(?: ([0-9a-f]{64}) (\d{1,15}))?\n$/;

const noteOf = ({ op, link, first, chainedFrom }: LogHead): string =>
  `${op} ${link}${first ? ` ${first} ${chainedFrom ?? 1}` : ""}\n`;

/** Another plan's note may be longer, and says nothing about this one. */
const isOther = (noted: LogHead, { first }: LogHead): boolean =>
  Boolean(noted.first) && Boolean(first) && noted.first !== first;

/**
 * Only ever moves forward. False if it was not noted, for example because git cannot write. Another plan's note stays, and `verify`
 * names it.
 */
export async function noteLogHead(cwd: string, head: LogHead): Promise<boolean> {
  const { from, noted } = await readNote(cwd);
  if (noted && isOther(noted, head)) return false;
  if (noted && noted.op >= head.op) return true;
  const repository = findRepository(cwd);
  if (repository && from !== null && noteInFiles(repository, { ref: LOG_HEAD, from }, noteOf(head))) return true;
  const written = await git(cwd, ["hash-object", "-w", "--no-filters", "--stdin"], { input: noteOf(head) });
  if (!succeeded(written)) return false;
  return (await moveRefs(cwd, [{ ref: LOG_HEAD, to: written.stdout.trim(), from }])).ok === true;
}

/** The plan begins again at another place: after a restored backup, or with a new plan. The former note stays as a ref. */
export async function resetLogHead(cwd: string, head: LogHead | null, at: number): Promise<void> {
  const { from, noted } = await readNote(cwd);
  if (from === null || noted === null) return;
  const former = `${FORMER_HEADS}/${noted.op}-${noted.link.slice(0, 12)}-at-${at}`;
  await moveRefs(cwd, [
    { ref: former, to: from },
    { ref: LOG_HEAD, to: null, from },
  ]);
  if (head) await noteLogHead(cwd, head);
}
