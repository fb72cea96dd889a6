// Whether workers can be confined here, and the one yes of a person where they cannot: asked once for each workspace and machine.

import { isRecord } from "../../base/json.js";
import { findPlainFile } from "../../base/plain-file.js";
import { loadExecutionSettings } from "../../config/execution-settings.js";
import { nameRepository } from "../../config/repository-name.js";
import { unsandboxedFile, writeOwnFile } from "../../config/state-folder.js";
import type { Environment } from "../../machine/process/environment.js";
import { findSandbox, howToConfine } from "../../machine/sandbox/sandbox.js";
import { isPerson } from "../../model/actor.js";
import { isoTime } from "../../model/iso-time.js";
import type { NextStep } from "../../model/next-step.js";
import { absent, ok, type Result, refused } from "../../model/result.js";
import type { Session } from "../kit/session.js";

export const sandboxHere = (root: string, env: Environment): ReturnType<typeof findSandbox> =>
  findSandbox(loadExecutionSettings(root, env).sandbox, env["PATH"]);

/** What was allowed for a repository counts for no other one that takes its place. */
function isAllowed({ root, env }: Pick<Session, "root" | "env">): boolean {
  const text = findPlainFile(unsandboxedFile(root, env) ?? "");
  const repository = text === undefined ? undefined : repositoryIn(text);
  if (text === undefined || repository === undefined) return text !== undefined;
  const { name, before } = nameRepository(root, env);
  return repository === name || repository === before;
}

function repositoryIn(text: string): unknown {
  try {
    const noted: unknown = JSON.parse(text);
    return isRecord(noted) ? noted["repository"] : undefined;
  } catch {
    return undefined;
  }
}

interface Unsandboxed {
  /** The yes that came with the question. */
  readonly unsandboxed: boolean | undefined;
  /** What would follow, for the question. */
  readonly what: string;
  readonly question: string;
  /** The same with the yes in it. */
  readonly confirmed: NextStep;
}

/** Ok if there is a sandbox (false) or a person allows to go without one (true). What they allow is recorded. */
async function allowUnsandboxed(session: Session, asked: Unsandboxed): Promise<Result<boolean>> {
  const { root, env } = session;
  const found = await sandboxHere(root, env);
  if (!found.ok) return found;
  if (found.value.kind !== "none") return ok(false);
  // Off is a setting that needs trust: that was the yes.
  if (loadExecutionSettings(root, env).sandbox === "off" || isAllowed(session)) return ok(true);
  const problem = `Workers run without a sandbox here: ${found.value.why}. ${asked.what} ${howToConfine()}`;
  const next = [asked.confirmed];
  if (!isPerson(session.actor)) {
    const message = `${problem} Only a person may allow that, once on this machine.`;
    return refused("needs-person", message, { next });
  }
  if (asked.unsandboxed !== true) {
    if (session.confirm === undefined) return refused("no-sandbox", problem, { next });
    if (!(await session.confirm(`${problem} ${asked.question}`)))
      return absent("canceled", "Nothing was started.", { next });
  }
  record(session);
  return ok(true);
}

/** Where it cannot be written down, it is asked again. */
function record({ root, env, actor, now }: Session): void {
  const file = unsandboxedFile(root, env);
  if (file !== undefined)
    writeOwnFile(
      file,
      `${JSON.stringify({ by: actor, at: isoTime(now()), repository: nameRepository(root, env).name })}\n`,
    );
}

const WITH_YOUR_RIGHTS = "What they and the checks start has your rights: it can read and change whatever you can.";

/** Before anything runs work. */
export const allowRunning = (session: Session, unsandboxed: boolean | undefined, confirmed: NextStep) =>
  allowUnsandboxed(session, {
    unsandboxed,
    confirmed,
    what: WITH_YOUR_RIGHTS,
    question: "Let them work here all the same, from now on?",
  });

/** Before the level becomes auto. */
export const allowAuto = (session: Session, unsandboxed: boolean | undefined, confirmed: NextStep) =>
  allowUnsandboxed(session, {
    unsandboxed,
    confirmed,
    what: "At level auto their work lands without a person looking at it.",
    question: "Set the level to auto all the same?",
  });
