// Operations on what planning runs produce.

import { ARTIFACT_KINDS } from "../../graph/item/artifact.js";
import { operation } from "../operation.js";
import { choice, input, key, optional } from "../schema.js";

export const artifacts = operation({
  name: "artifact.list",
  summary: "List what planning runs produced",
  description:
    "Specs, maps, drafts, findings and plans, each with its round. An artifact is stale when something that it was made from was replaced, or when the spec's file has changed.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      run: optional(key("run", "only of this planning run", "RUN")),
      kind: optional(choice(ARTIFACT_KINDS, "only this kind", "KIND")),
    }),
  examples: [
    { input: { run: "RUN-001" }, does: "lists what one run made, in order" },
    { input: { kind: "findings" }, does: "lists all findings" },
  ],
  run: async (context, asked) => (await import("../../actions/item/list-artifacts.js")).listArtifacts(context, asked),
});
