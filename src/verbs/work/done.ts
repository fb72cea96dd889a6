import { planVerb, problems, step } from "../kit/verb.js";
import { ended, ending, handWork } from "./hand-work.js";

export const input = ending;

export const verb = planVerb({
  command: { words: "work done", group: "work", positional: ["reference"] },
  summary: "Hand in the task you worked on",
  description:
    "Takes what is in the folder as one commit, runs the checks on it and merges it into the feature's branch. If a check fails, the task stays yours and you see why. You can go on typing meanwhile: nothing is written into the folder, and it stays if it has changed since.",
  effect: "runs",
  input,
  examples: [{ input: { reference: "TASK-00007" }, does: "checks what you did and puts it on the feature's branch" }],
  run: async (session, asked) => {
    const handed = await (await handWork(session)).finish(asked, session.signal);
    if (!handed.ok || handed.value.state !== "open") return handed;
    const { task } = handed.value;
    const next = [step("work.done", { reference: task })];
    return problems("not-done", `${task} is not done yet.`, { details: { ...handed.value }, next });
  },
  ...ended,
});
