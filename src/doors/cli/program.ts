// One command line from start to exit code: which command it is, and who answers it.

import { type Result, refused, usage } from "../../model/result.js";
import { type App, failureOf } from "../../verbs/app.js";
import { allFacts, factsOf } from "../../verbs/kit/facts.js";
import { write } from "../../verbs/kit/output.js";
import { tellApart } from "../../verbs/kit/same-words.js";
import { findSpelling, type Spelling, spellWords, type TypedCommand } from "../../verbs/kit/spell.js";
import type { Terminal } from "../../verbs/kit/view.js";
import { joined } from "../../verbs/kit/wording.js";
import type { Routed } from "../../verbs/router/route.js";
import type { Globals } from "./globals.js";
import type { LocalAnswer } from "./local-command.js";
import { runOperation } from "./run-operation.js";
import { showFailure } from "./show-result.js";

export interface Program {
  readonly globals: Globals;
  readonly app: App;
  readonly terminal: Terminal;
  readonly version: string;
  /** Other doors to the application, by the command that opens them. Each serves until it is stopped. */
  readonly doors: Readonly<Record<string, (words: readonly string[]) => Promise<Result<void>>>>;
}

export async function runProgram(program: Program): Promise<number> {
  try {
    const globals = withWords(program);
    const found = findSpelling(globals.words);
    const local = localWords(globals, found?.spelling.words);
    if (local) return await runLocalCommand(local, program);
    const [first = "", ...rest] = globals.words;
    if (Object.hasOwn(program.doors, first)) return await openDoor(first, rest, program);
    if (found && factsOf(found.spelling.operation).routes) return await runWords(found.spelling, found.rest, program);
    if (found) return await runFound(found, program);
    return await runUnknown(program);
  } catch (error) {
    return showResult(failureOf(error), program);
  }
}

/** Without words: what a verb says of itself, where there is a plan; elsewhere the help. */
function withWords({ globals, app }: Program): Globals {
  if (globals.words.length > 0 || globals.help || globals.version || !app.folder().workspace().exists) return globals;
  const bare = allFacts().find(({ command }) => command.bare);
  return { ...globals, words: bare === undefined ? [] : bare.command.words.split(" ") };
}

async function runFound(found: TypedCommand, program: Program): Promise<number> {
  const { app, terminal } = program;
  const [{ spelling, rest: words }, ...others] = await tellApart(found, app);
  if (others.length === 0) return runOperation({ spelling, words, app, terminal });
  const commands = [{ spelling, rest: words }, ...others].map((each) =>
    spellWords([...each.spelling.words.split(" "), ...each.rest]),
  );
  const message = `${spelling.words} takes things of one kind at a time. Type: ${joined(commands, "and then")}.`;
  return showResult(usage("mixed-kinds", message, { details: { commands } }), program);
}

async function openDoor(name: string, words: readonly string[], { doors, app, terminal }: Program): Promise<number> {
  const served = await doors[name]?.(words);
  return served === undefined || served.ok ? 0 : showFailure(served.error, { app, terminal });
}

const DRY_RUN = "--dry-run";

async function runWords(spelling: Spelling, words: readonly string[], program: Program): Promise<number> {
  const { app, terminal } = program;
  if (words.length === 0 || words.includes(DRY_RUN)) return runOperation({ spelling, words, app, terminal });
  return runRouted(await routeWords(app, words), program);
}

/** Words that are no command may still mean one. If not, they are reported as an unknown command. */
async function runUnknown(program: Program): Promise<number> {
  const { globals, app, terminal } = program;
  const { isSubcommandMissing, unknownCommand } = await import("./refused-words.js");
  const isRouting = terminal.variable("PLANWRIGHT_ROUTING") !== "off";
  if (isRouting && !isSubcommandMissing(globals.words)) {
    const routed = await routeWords(app, globals.words);
    if (routed.ok || HANDLED.has(routed.error.reason)) return runRouted(routed, program);
  }
  return showResult(await unknownCommand(globals.words), program);
}

/** What the router asks back, where a suggestion would say less. */
const HANDLED: ReadonlySet<string> = new Set(["several-intents", "negated", "which-node", "ambiguous", "not-found"]);

const LOCAL: ReadonlySet<string> = new Set(["help", "version", "completion", "completion-words"]);

function localWords({ words, help, version }: Globals, declared: string | undefined): readonly string[] | undefined {
  const [first] = words;
  if (first === undefined) return version ? ["version"] : ["help"];
  if (LOCAL.has(first)) return words;
  return help ? ["help", ...(declared ?? first).split(" ")] : undefined;
}

async function runLocalCommand(words: readonly string[], program: Program): Promise<number> {
  const { app, terminal, version } = program;
  const { runLocal } = await import("./local-command.js");
  return showResult(await runLocal(words, { app, style: terminal.style, version }), program);
}

async function showResult(answered: Result<LocalAnswer>, { app, terminal }: Program): Promise<number> {
  if (!answered.ok) return showFailure(answered.error, { app, terminal });
  const { text, data } = answered.value;
  write(1, `${terminal.json ? JSON.stringify({ ok: true, data }) : text}\n`);
  return 0;
}

/** What the words mean. Those with spaces are quoted, as they were typed. */
async function routeWords(app: App, words: readonly string[]): Promise<Result<Routed>> {
  const router = allFacts().find(({ routes }) => routes);
  if (!router) throw new Error("No verb says what words mean.");
  const said = words.map((word) => (words.length > 1 && /\s/u.test(word) ? JSON.stringify(word) : word));
  return (await app.ask(router.name, { words: said.join(" ") }).catch(failureOf)) as Result<Routed>;
}

async function runRouted(routed: Result<Routed>, program: Program): Promise<number> {
  const { terminal, globals } = program;
  const allowed = routed.ok ? await allow(routed.value, terminal) : routed;
  if (!allowed.ok) return showFailure(allowed.error, program);
  const { stage, words } = allowed.value;
  if (stage === 2 && !terminal.json) terminal.progress(`${terminal.style.dim(spellWords(words))}\n`);
  return runProgram({ ...program, globals: { ...globals, words } });
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
