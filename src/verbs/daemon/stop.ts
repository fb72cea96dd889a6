import { stopDaemon } from "../../engine/tick/background.js";
import { planVerb } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "daemon stop", group: "work" },
  summary: "Stop the daemon, and wait until it has stopped",
  effect: "runs",
  hints: ["stop"],
  examples: [{ input: {}, does: "gives unfinished tasks back and stops" }],
  run: (session) => stopDaemon(session.root),
  text: ({ pid }) => `The daemon has stopped (process ${pid}).`,
});
