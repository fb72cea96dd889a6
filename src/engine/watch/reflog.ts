// Who moved a ref, as git's own reflog tells it. A worker without a sandbox gets a committer name that nobody else has, and git
// writes it down with everything that the worker's git moves, wherever it is started.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { attemptBranch } from "../../machine/git/refs.js";
import type { RefMove } from "./outside.js";

const MARK = "planwright-worker";

/** The committer of whatever a worker commits by itself. Its change set is committed under the user's name. */
export const workerName = (key: string): string => `${MARK} ${key}`;

interface LogLine {
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly what: string;
}

function linesIn(commonDir: string, name: string): LogLine[] {
  const file = join(commonDir, "logs", name);
  let text = "";
  try {
    if (existsSync(file)) text = readPlainFile(file);
  } catch {
    // Nobody can tell from a log that cannot be read.
  }
  return text.split("\n").flatMap((line) => {
    const [, from = "", to = "", by = "", what = ""] = /^(\w+) (\w+) (.*?) <[^>]*> [^\t]*(?:\t(.*))?$/.exec(line) ?? [];
    return to === "" ? [] : [{ from, to, by, what }];
  });
}

/** Without reflogs nobody can be told from anybody else, and nobody is accused. */
const keepsLogs = (commonDir: string): boolean => existsSync(join(commonDir, "logs", "refs", "heads"));

/** Nobody is to move this ref under that name. The branch of an attempt is its worker's own. */
const isForeign = (by: string, ref: string): boolean =>
  by.startsWith(MARK) && attemptBranch(by.slice(MARK.length + 1)) !== ref;

/** Every step from where the ref was to where it is now stands in its reflog, and none of them under a foreign worker's name. */
export function isPersonsMove(commonDir: string, { ref, from, to }: RefMove): boolean {
  if (!keepsLogs(commonDir)) return true;
  const lines = linesIn(commonDir, ref);
  let at = to;
  for (const line of lines.toReversed()) {
    if (line.to !== at || isForeign(line.by, ref)) return false;
    if (line.from === from) return true;
    at = line.from;
  }
  return false;
}

/** What a worker's git did to the main checkout itself, such as a commit or a reset there. */
export const checkoutMovesBy = (commonDir: string, key: string): string[] =>
  linesIn(commonDir, "HEAD")
    .filter(({ by }) => by === workerName(key))
    .map(({ to, what }) => `The worker moved HEAD of the main checkout to ${to} (${what}).`);
