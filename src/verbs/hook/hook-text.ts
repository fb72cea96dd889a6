import { type Failure, ok, type Result } from "../../model/result.js";
import type { PlanAsker } from "../kit/asking.js";
import type { Input } from "../kit/read-words.js";
import type { Terminal } from "../kit/view.js";
import { logHookFailure } from "./hook-log.js";
import { readHost } from "./host-json.js";

/** Whatever goes wrong must not keep an agent from going on: the host gets an empty answer, and you find the problem in a log. */
export const silently =
  <Answer>(answer: Answer) =>
  (failure: Failure, app: PlanAsker): Answer => {
    logHookFailure(app.folder().env, failure);
    return answer;
  };

type Read = (event: Readonly<Record<string, unknown>>) => Input;

/** What the host says about the event; flags win over it. */
export const fromHost =
  (read: Read = () => ({})) =>
  async (input: Input, terminal: Terminal): Promise<Result<Input>> => {
    const { caller, event } = await readHost(terminal);
    return ok({ ...caller, ...read(event), ...input });
  };

export const NO_CONTEXT = { host: "claude", context: null } as const;
