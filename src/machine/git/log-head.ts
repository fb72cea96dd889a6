// The end of the operation log, noted in a git ref: a program that rewrites the log would have to rewrite this too, and every clone
// that fetched it.

import { git, gitOutput, succeeded } from "./git.js";
import { moveRefs, readRef } from "./refs.js";

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
}

/** `from`: the object that the ref names. */
async function readNote(cwd: string) {
  const from = await readRef(cwd, LOG_HEAD);
  const result = from === null ? undefined : await git(cwd, ["cat-file", "blob", from]);
  return { from, noted: result && succeeded(result) ? logHeadIn(result.stdout) : null };
}

/** Null if nothing was noted yet. */
export const readLogHead = async (cwd: string): Promise<LogHead | null> => (await readNote(cwd)).noted;

/**
 * Null if there is no such object, or it is no note. Throws where git fails: a note that could not be read must not pass for a
 * forged one.
 */
export async function logHeadAt(cwd: string, object: string): Promise<LogHead | null> {
  const printed = await gitOutput(cwd, ["cat-file", "--batch"], `${object} could not be read`, {
    input: `${object}\n`,
  });
  const [, note = ""] = /^\w+ blob \d+\n(.*\n)\n$/s.exec(printed) ?? [];
  return logHeadIn(note);
}

function logHeadIn(text: string): LogHead | null {
  const [, op, link] = /^(\d+) ([0-9a-f]{64})\n$/.exec(text) ?? [];
  return op === undefined || link === undefined ? null : { op: Number(op), link };
}

/** Only ever moves forward. False if it was not noted, for example because git cannot write. */
export async function noteLogHead(cwd: string, { op, link }: LogHead): Promise<boolean> {
  const { from, noted } = await readNote(cwd);
  if (noted && noted.op >= op) return true;
  const written = await git(cwd, ["hash-object", "-w", "--stdin"], { input: `${op} ${link}\n` });
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
