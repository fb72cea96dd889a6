// A message to a coding agent that is a command to the plan: the agent is told which, and runs it itself. So whatever it claims is
// claimed in its own name, and its tools keep the token.

import { type Failure, ok, type Result } from "../../graph/result.js";
import { loadOperation } from "../catalogue.js";
import { spellWords } from "../command-line.js";
import { routeBareWords } from "../router/bare-words.js";
import type { Routed } from "../router/route.js";
import type { Session } from "../session.js";
import { calledBy, type HookInput, isWorker } from "./hook-caller.js";
import { plainLine } from "./plain-line.js";

export interface HookContext {
  /** What the agent is told. Null: nothing. */
  readonly context: string | null;
}

const NOTHING: HookContext = { context: null };

export async function promptHook(
  session: Session,
  { prompt, ...input }: HookInput & { readonly prompt: string },
): Promise<Result<HookContext>> {
  const { context, settings } = calledBy(session, input);
  if (!settings.routing || isWorker(session)) return ok(NOTHING);
  const found = await routeBareWords(context, prompt);
  if ("routed" in found) return ok({ context: await hintFor(found.routed) });
  return ok("asks" in found ? { context: questionFor(found.asks) } : NOTHING);
}

const MOST_TOKENS = 80;

async function hintFor({ operation, words, asksFirst, summary }: Routed): Promise<string> {
  const command = plainLine(spellWords(words), MOST_TOKENS);
  const said = `The user gave a command to the plan: \`${command}\` (${summary}).`;
  if ((await loadOperation(operation)).who === "person") {
    return `${said} Only the user can decide this. Propose it with Planwright's tool \`decide\`, or ask the user to type that command in a terminal.`;
  }
  const yes = asksFirst ? " Ask the user for a yes first: one undo cannot take it back." : "";
  return `${said}${yes} Run it with Planwright's tool \`do\`, with these words, or as a command, and go on from its answer.`;
}

const questionFor = ({ message }: Failure): string =>
  `The user gave a command to the plan, but it is not complete: ${plainLine(message, MOST_TOKENS)} Ask the user before you do anything.`;
