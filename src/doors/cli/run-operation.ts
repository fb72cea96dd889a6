// One operation from the words that were typed to the exit code: read the words, ask the application, show the answer.

import { ok, type Result } from "../../model/result.js";
import { type App, failureOf } from "../../verbs/app.js";
import { isRead } from "../../verbs/kit/output.js";
import { allFieldsOf, type CliFields, type Input, readWords } from "../../verbs/kit/read-words.js";
import { FILE } from "../../verbs/kit/schema.js";
import type { Spelling } from "../../verbs/kit/spell.js";
import type { GivenFlags, Terminal, View } from "../../verbs/kit/view.js";
import { loadVerb } from "../../verbs/list.js";
import { WorkLine } from "../../verbs/terminal/work-line.js";
import { inCommandWords, unreadable } from "./refused-words.js";
import { showAnswer, showFailure } from "./show-result.js";

export interface OperationRequest {
  readonly spelling: Spelling;
  readonly words: readonly string[];
  readonly app: App;
  readonly terminal: Terminal;
}

export async function runOperation(asked: OperationRequest): Promise<number> {
  const { spelling, words, app, terminal } = asked;
  const name = spelling.operation;
  const verb = await loadVerb(name);
  const fields = allFieldsOf(verb, spelling);
  const read = readWords(spelling, fields, words);
  if ("problem" in read) return showFailure(await unreadable(spelling, fields, read), asked);
  const given = takeFlags(read.input, verb);
  namePaths(read.input, fields, app);
  const input = await catchFailures(verb, async () => verb.prepare?.(read.input, terminal, app) ?? ok(read.input));
  const answered = input.ok ? await catchFailures(verb, () => answerOf(asked, verb, input.value)) : input;
  if (!input.ok) return showFailure(input.error, asked, verb);
  if (!answered.ok) {
    const { error } = answered;
    const message = verb.reword?.(error.message, input.value) ?? error.message;
    if (message !== error.message) return showFailure({ ...error, message }, asked, verb);
    return showFailure(inCommandWords(error, verb, spelling, fields), asked, verb);
  }
  await showAnswer(answered.value, verb, given, asked);
  const after = isRead() ? await verb.after?.(answered.value, { terminal, app, input: input.value, given }) : undefined;
  // The answer stands; another one on the same output would be no JSON any more.
  if (after === undefined || after.ok) return 0;
  return showFailure(after.error, { app, terminal: withoutJson(terminal) });
}

/** A view that rescues failures rescues thrown ones too. */
async function catchFailures<T>(view: View, run: () => Promise<Result<T>>): Promise<Result<T>> {
  if (!view.rescue) return run();
  try {
    return await run();
  } catch (error) {
    return failureOf(error);
  }
}

const withoutJson = (terminal: Terminal): Terminal => Object.create(terminal, { json: { value: false } }) as Terminal;

/** Files are typed relative to the current folder. */
function namePaths(input: Input, { flags }: CliFields, app: App): void {
  for (const { name, names } of flags) {
    const typed = names === FILE ? input[name] : undefined;
    if (Array.isArray(typed)) input[name] = typed.map((path) => app.pathOf(String(path)));
  }
}

function takeFlags(input: Input, { flags = {} }: View): GivenFlags {
  const given = Object.keys(flags).filter((name) => input[name] === true);
  for (const name of Object.keys(flags)) delete input[name];
  return new Set(given);
}

async function answerOf({ spelling, app, terminal }: OperationRequest, view: View, input: Input) {
  const live = terminal.json ? undefined : view.live?.(terminal);
  const workLine = new WorkLine(terminal);
  const isPersonThere = terminal.interactive && !terminal.json;
  try {
    return await app.ask(spelling.operation, input, {
      onEvent: (event) => (event.kind === "work" ? workLine.show(event.work) : live?.onEvent(event)),
      onNotice: (notice) => terminal.progress(`${notice}\n`),
      ...(isPersonThere && {
        confirm: async (question, preview) => {
          workLine.close();
          live?.close();
          return (await import("../../verbs/terminal/ask.js")).askAfterPreview(question, preview, terminal);
        },
        ask: async (key, question) => {
          live?.close();
          return (await import("../../verbs/terminal/ask.js")).askQuestion(key, question);
        },
      }),
    });
  } finally {
    workLine.close();
    live?.close();
  }
}
