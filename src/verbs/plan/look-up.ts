import { hostLookUp } from "../../planning/run/host.js";
import { fields, filled, harmless, planVerb } from "../kit/verb.js";
import { call } from "./step.js";

export const input = fields({ call, name: filled("what the prompt calls it: plan, map, spec, or an id", "NAME") });

export const verb = planVerb({
  command: { words: "plan look-up", group: "agents", positional: ["call", "name"] },
  summary: "Read what the prompt of a step does not show whole",
  effect: "reads",
  tools: [{ tool: "plan", action: "look_up", fields: ["call", "name"], whole: true }],
  input,
  examples: [{ input: { call: "CALL-00004", name: "plan" }, does: "gives the whole plan as it stands" }],
  run: async (session, asked) => hostLookUp(await (await session.engines()).planning(), asked),
  text: ({ text }) => harmless(text),
});
