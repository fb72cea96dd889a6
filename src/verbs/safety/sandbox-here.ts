// Whether workers can be confined here, and what to say and ask where they cannot.

import { loadExecutionSettings } from "../../config/execution-settings.js";
import { findRepository } from "../../machine/git/repository.js";
import type { Environment } from "../../machine/process/environment.js";
import { howToConfine, type Sandbox, sandboxFor } from "../../machine/sandbox/sandbox.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result, refused } from "../../model/result.js";
import type { LevelInput } from "../../plan/level/level.js";
import type { Session } from "../kit/session.js";

export async function sandboxHere(root: string, env: Environment): Promise<Result<Sandbox>> {
  const { sandbox } = loadExecutionSettings(root, env);
  const own = { PATH: env["PATH"] ?? "", ...(env["HOME"] !== undefined && { HOME: env["HOME"] }) };
  return sandboxFor(sandbox, { root, worktree: findRepository(root)?.top ?? root, env: own });
}

export async function noticeSandbox(session: Session): Promise<void> {
  const { root, env } = session;
  const { sandbox } = loadExecutionSettings(root, env);
  const found = sandbox === "auto" ? await sandboxHere(root, env) : undefined;
  if (!found?.ok || found.value.kind !== "none") return;
  const text = `Workers run without a sandbox: ${found.value.why}. ${howToConfine()}`;
  session.emit({ kind: "engine", event: { type: "notice", text } });
}

/** Whether `auto` is set without a sandbox. Only a person who was told allows that, once. */
export async function allowUnconfined(
  session: Session,
  asked: Omit<LevelInput, "unconfined"> & { readonly withoutSandbox?: boolean },
): Promise<Result<boolean>> {
  const found = await sandboxHere(session.root, session.env);
  if (!found.ok) return found;
  if (found.value.kind !== "none") return ok(false);
  if (asked.withoutSandbox === true) return ok(true);
  const problem = `Workers run without a sandbox here: ${found.value.why}. At level auto their work lands without a person looking at it. ${howToConfine()}`;
  const next = [step("level", { ...asked, withoutSandbox: true })];
  if (session.confirm === undefined) return refused("no-sandbox", problem, { next });
  const isSure = await session.confirm(`${problem} Set the level to auto all the same?`);
  return isSure ? ok(true) : absent("canceled", "The level was not changed.", { next });
}
