import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { markerOf, type ServedRun, stopDecision } from "../../model/rules/hooks.js";
import { sha256 } from "../../store/sha256.js";
import { type Context, fields, flag, ok, optional, planVerb, type Result } from "../kit/verb.js";
import { fromHost, HOST_FORM, silently } from "./hook-answer.js";
import { askingAs, calledBy, caller, type HookCaller, heldTasks, runOfCaller } from "./hook-caller.js";
import { type HookAnswer, stopJson } from "./host-json.js";

export const input = fields({
  ...caller(),
  active: optional(flag("the agent continues only because a hook asked it to")),
});

export const verb = planVerb({
  command: { words: "hook stop", group: "agents" },
  summary: "Keep an agent from stopping while its task is open",
  description: `For the Stop and SubagentStop hooks of a coding agent. The agent is kept from stopping while a task that it claimed itself is not handed in, or the next step of a planning run that it serves is its own: at most three times in a row, and never because of the task of another worker or of another subagent. ${HOST_FORM}`,
  effect: "writes",
  input,
  examples: [{ input: {}, does: "answers a Stop hook" }],
  run: async (session, { active = false, ...asked }): Promise<Result<HookAnswer>> => {
    const { context, caller: asking, settings } = calledBy(session, asked);
    return settings.stop ? stopHook(context, { ...asking, active }) : ok({});
  },
  prepare: fromHost(({ stop_hook_active: active }) => (active === true ? { active } : {})),
  text: (answer) => JSON.stringify(stopJson(answer)),
  rescue: silently({}),
});

/** `active`: the host says that the agent goes on only because a hook asked it to. */
export async function stopHook(
  context: Context,
  input: HookCaller & { readonly active: boolean },
): Promise<Result<HookAnswer>> {
  const held = await heldTasks(context);
  const marker = markerOf(held, askingAs(context, input)) ?? (await servedBy(context, input));
  const subject = marker === null ? null : "run" in marker ? marker.run : marker.id;
  const counter = counterOf(context, [input.session, input.agent ?? []].flat(), subject);
  const decision = stopDecision(marker, { blocks: counter.read(), active: input.active });
  if (!decision.block) {
    if (decision.cleanUp) counter.forget();
    return ok({});
  }
  // Without a count the agent could be kept for ever.
  const { reason, next, blocks } = decision;
  return ok(counter.write(blocks) ? { decision: "block", reason, next } : {});
}

/** A subagent carries out one step; the conversation goes on with the run. */
async function servedBy(context: Context, caller: HookCaller): Promise<ServedRun | null> {
  const run = caller.agent == null ? await runOfCaller(context, caller, ["running"]) : undefined;
  return run === undefined ? null : { run };
}

/** A conversation that was left behind is over by then. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** How often the agent was kept from stopping: in a small file beside the plan, for each session, and not in the log. */
function counterOf({ root, actor, now }: Context, caller: readonly string[], task: string | null) {
  const folder = join(root, ".planwright", "stops");
  const name = sha256(JSON.stringify([actor, ...caller])).slice(0, 32);
  const file = join(folder, name);
  const sweep = (): void => {
    for (const each of readdirSync(folder).map((other) => join(folder, other))) {
      const touched = statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? now();
      if (now() - touched > FORGOTTEN_MS) rmSync(each, { force: true });
    }
  };
  return {
    /** Counts only for the same task. */
    read: (): number => {
      try {
        const noted = JSON.parse(readPlainFile(file)) as { task: unknown; blocks: unknown };
        return typeof noted.blocks === "number" && (task === null || noted.task === task) ? noted.blocks : 0;
      } catch {
        return 0;
      }
    },
    write: (blocks: number): boolean => {
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, JSON.stringify({ task, blocks }));
        sweep();
        return true;
      } catch {
        return false;
      }
    },
    forget: (): void => rmSync(file, { force: true }),
  };
}
