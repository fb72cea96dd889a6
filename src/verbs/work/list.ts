import { minute, ok, planVerb } from "../kit/verb.js";
import { handWork } from "./hand-work.js";

export const verb = planVerb({
  command: { words: "work list", group: "work" },
  summary: "List tasks that people work on, and folders they kept",
  effect: "reads",
  examples: [{ input: {}, does: "who works on what, and where" }],
  run: async (session) => ok(await (await handWork(session)).list()),
  text: (all, style) => {
    if (all.length === 0) return style.dim("No work by hand is open.");
    return all.map(({ task, attempt, by, worktree, since }) => {
      const how = since === null ? "ended; its folder is left" : `since ${minute(since)}`;
      return `${style.bold(task)}  ${attempt}  ${by}  ${style.dim(how)}\n  ${worktree}`;
    });
  },
});
