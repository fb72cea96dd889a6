import { type HookAnswer, stopHook } from "../../../actions/claim/stop-hook.js";
import { ok, type Result, usage } from "../../../app/vocabulary.js";
import type { App, Command, Input } from "../command.js";

export const hook: Command = {
  name: "hook",
  group: "tending",
  summary: "Answer a hook of a coding agent",
  description:
    "Reads the host's JSON on standard input and answers in its form. stop: keeps the agent from ending while a task that it has claimed itself is not handed in; three times in a row at most, and never because of somebody else's task. With nothing to say, or when anything goes wrong, the answer is {}.",
  arguments: [{ name: "EVENT", help: "stop" }],
  examples: [{ run: "planwright hook stop", does: "as the command of a Stop hook; docs/news.md has the settings" }],
  run: async (input, app) => {
    const [event] = input.args;
    if (event !== "stop") {
      return usage("unknown-event", `There is no hook "${String(event).slice(0, 60)}".`, {
        hint: "There is one: stop.",
      });
    }
    return answerStop(input, app);
  },
};

type Answered = Result<{ data: HookAnswer; text(): string; note?(): string }>;

/** Whatever goes wrong here must not keep an agent from stopping. */
async function answerStop(input: Input, app: App): Promise<Answered> {
  try {
    const told = await readTold(app);
    const actor = input.text("as") ?? app.variable("PLANWRIGHT_ACTOR");
    const answer = await stopHook(await app.open(), {
      session: typeof told["session_id"] === "string" ? told["session_id"] : "",
      active: told["stop_hook_active"] === true,
      cwd: typeof told["cwd"] === "string" ? told["cwd"] : app.cwd,
      task: app.variable("PLANWRIGHT_TASK") ?? null,
      isSaid: actor !== undefined,
    });
    return answer.ok ? plain(answer.value) : plain({}, answer.error.message);
  } catch (error) {
    return plain({}, (error as Error).message);
  }
}

const plain = (data: HookAnswer, note = ""): Answered =>
  ok({ data, text: () => JSON.stringify(data), note: () => note });

/** What cannot be read says nothing. */
async function readTold(app: App): Promise<Readonly<Record<string, unknown>>> {
  if (app.interactive) return {};
  const text = new TextDecoder().decode(await app.readStdin());
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
