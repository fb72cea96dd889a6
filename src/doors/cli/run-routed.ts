// Words that are no command: the router says which command they mean, and that command runs as if it had been typed.

import { type Result, refused } from "../../model/result.js";
import { type App, failureOf } from "../../verbs/app.js";
import { FACTS } from "../../verbs/kit/facts.js";
import { spellWords } from "../../verbs/kit/spell.js";
import type { Terminal } from "../../verbs/kit/view.js";
import type { Routed } from "../../verbs/router/route.js";
import { showFailure } from "./show-result.js";

interface Runner {
  readonly app: App;
  readonly terminal: Terminal;
  /** Runs the words as a command line. */
  run(words: readonly string[]): Promise<number>;
}

/** Words as one text; those with spaces are quoted, as they were typed. */
export const wordsAsSentence = (words: readonly string[]): string =>
  words.map((word) => (words.length > 1 && /\s/u.test(word) ? JSON.stringify(word) : word)).join(" ");

export async function routeWords(app: App, text: string): Promise<Result<Routed>> {
  const router = FACTS.find(({ routes }) => routes);
  if (!router) throw new Error("No verb says what words mean.");
  return (await app.ask(router.name, { words: text }).catch(failureOf)) as Result<Routed>;
}

export async function runRouted(routed: Result<Routed>, asked: Runner): Promise<number> {
  const { terminal } = asked;
  const allowed = routed.ok ? await allow(routed.value, terminal) : routed;
  if (!allowed.ok) return showFailure(allowed.error, asked);
  const { stage, words } = allowed.value;
  if (stage === 2 && !terminal.json) terminal.progress(`${terminal.style.dim(spellWords(words))}\n`);
  return asked.run(words);
}

async function allow(routed: Routed, terminal: Terminal): Promise<Result<Routed>> {
  if (!routed.asksFirst) return { ok: true, value: routed };
  const command = spellWords(routed.words);
  const isAnswered = terminal.interactive && !terminal.json;
  if (
    isAnswered &&
    (await (await import("../../verbs/terminal/ask.js")).askYes(`${command}: ${routed.summary}. Run it?`))
  ) {
    return { ok: true, value: routed };
  }
  const message = isAnswered
    ? "Nothing was done."
    : `These words mean: ${command} (${routed.summary}). Type it to run it.`;
  return refused("needs-yes", message, { details: { words: routed.words } });
}
