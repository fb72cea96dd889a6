import { stopDaemon } from "../../engine/tick/background.js";
import { fields, planVerb } from "../kit/verb.js";

export const input = fields({});

export const verb = planVerb({
  command: { words: "daemon stop", group: "work" },
  summary: "Stop the daemon, and wait until it has stopped",
  effect: "runs",
  hints: ["stop"],
  input,
  examples: [{ input: {}, does: "gives unfinished tasks back and stops" }],
  run: (session) => stopDaemon(session.root),
  text: ({ pid }) => `The daemon has stopped (process ${pid}).`,
});
