import { exportDocuments } from "../../planning/run/show.js";
import { fields, flag, optional, planVerb, text } from "../kit/verb.js";
import { runKey } from "./run-text.js";

export const input = fields({
  run: runKey,
  to: optional(text("the folder, below the root of the workspace (docs/plans)", "DIR")),
  commit: optional(flag("commit these files to git, and nothing else")),
});

export const verb = planVerb({
  command: { words: "plan export", group: "plan", positional: ["run"] },
  summary: "Write the documents of a planning run as files",
  effect: "runs",
  input,
  examples: [{ input: { run: "RUN-001", commit: true }, does: "writes and commits the plan for a review" }],
  run: async (session, asked) => exportDocuments(await (await session.engines()).planning(), asked),
  text: ({ files }) => files,
  note: ({ commit }) => (commit === null ? "" : `Committed as ${commit.slice(0, 12)}, with nothing but these files.`),
});
