import { listPlans } from "../../planning/run/show.js";
import { harmless, linesOr, ok, planVerb, plural, step } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "plan list", group: "plan" },
  summary: "List planning runs and where they stand",
  effect: "reads",
  lists: "run",
  tools: [{ tool: "find", action: "runs", fields: [], pages: "runs" }],
  examples: [{ input: {}, does: "lists every run, the newest first" }],
  run: async (session) => ok({ runs: await listPlans(await (await session.engines()).planning()) }),
  text: ({ runs }, style) => runsText(runs, style),
  next: ({ runs: [latest] }) => [latest ? step("plan.show", { run: latest.id }) : step("plan.start", {}, "source")],
});

const runsText = linesOr(
  "No planning runs.",
  ({ id, status, stage, title, calls }: Awaited<ReturnType<typeof listPlans>>[number], style) =>
    `${style.bold(id)}  ${status.padEnd(8)}  ${stage.padEnd(12)}  ${plural(calls, "call").padStart(9)}  ${harmless(title)}`,
);
