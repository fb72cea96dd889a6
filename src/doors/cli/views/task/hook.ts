// Views of hooks: the host's JSON in, the host's JSON out.

import type { App } from "../../../../app/app.js";
import { logHookFailure } from "../../../../app/hooks/hook-log.js";
import type { Input } from "../../../../app/read-words.js";
import { type Failure, ok, type Result } from "../../../../app/vocabulary.js";
import {
  contextJson,
  editedFiles,
  isSubagent,
  readHost,
  stopJson,
  toolJson,
  typedPrompt,
} from "../../text/host-json.js";
import type { Terminal, ViewOf } from "../../view.js";

const prime: ViewOf<"prime"> = { text: ({ text }) => text };

/** Whatever goes wrong must not keep an agent from going on: the host gets an empty answer, and you find the problem in a log. */
const silently =
  <Answer>(answer: Answer) =>
  (failure: Failure, app: App): Answer => {
    logHookFailure(app.folder().env, failure);
    return answer;
  };

type Read = (event: Readonly<Record<string, unknown>>) => Input;

/** What the host says about the event; flags win over it. */
const fromHost =
  (read: Read = () => ({})) =>
  async (input: Input, terminal: Terminal): Promise<Result<Input>> => {
    const { caller, event } = await readHost(terminal);
    return ok({ ...caller, ...read(event), ...input });
  };

const NOTHING = { host: "claude", context: null } as const;

const prompt: ViewOf<"hook.prompt"> = {
  prepare: fromHost((event) => ({ prompt: typedPrompt(event) })),
  text: ({ host, context }) => JSON.stringify(contextJson("prompt", host, context)),
  rescue: silently(NOTHING),
};

const tool: ViewOf<"hook.tool"> = {
  prepare: fromHost((event) => ({ files: editedFiles(event), ...(isSubagent(event) && { subagent: true }) })),
  text: (answer) => JSON.stringify(toolJson(answer)),
  rescue: silently({ host: "claude", decision: "off", reason: "" } as const),
};

const stop: ViewOf<"hook.stop"> = {
  prepare: fromHost(({ stop_hook_active: active }) => (active === true ? { active } : {})),
  text: (answer) => JSON.stringify(stopJson(answer)),
  rescue: silently({}),
};

const session: ViewOf<"hook.session"> = {
  prepare: fromHost(),
  text: ({ host, context }) => JSON.stringify(contextJson("session", host, context)),
  rescue: silently(NOTHING),
};

/** Plain text: the host adds it to what its summary has to keep. */
const compact: ViewOf<"hook.compact"> = {
  prepare: fromHost(),
  text: ({ context }) => context ?? "",
  rescue: silently(NOTHING),
};

export const hookViews = {
  prime,
  "hook.prompt": prompt,
  "hook.tool": tool,
  "hook.stop": stop,
  "hook.session": session,
  "hook.compact": compact,
};
