import { without } from "../../model/node/content.js";
import { profileFor } from "../../model/node/profile.js";
import { absent, type Context, fields, type Infer, type Node, ok, planVerb, step } from "../kit/verb.js";
import { ends, linkView, needsAnEnd, relink } from "./link.js";

export const input = fields(ends).check(needsAnEnd);

export const verb = planVerb({
  command: { words: "unlink", group: "plan", positional: ["reference"] },
  summary: "Remove dependencies, files or symbols from a node",
  effect: "writes",
  tools: [{ tool: "edit", action: "unlink", fields: ["reference", "on", "files"] }],
  input,
  examples: [
    { input: { reference: "TASK-00008", on: ["TASK-00007"] }, does: "TASK-00008 no longer waits for TASK-00007" },
  ],
  run: unlink,
  ...linkView("-"),
});

type UnlinkInput = Infer<typeof input>;

export function unlink(context: Context, asked: UnlinkInput) {
  const { files = [], symbols = [] } = asked;
  return relink(context, "unlink", asked, (node, targets) => {
    const missing = firstMissing(node, targets, asked);
    if (missing !== undefined) {
      const message = `${node.id} is not linked with "${missing}". Nothing was changed.`;
      return absent("not-linked", message, { next: [step("show", { reference: node.id })] });
    }
    const kept = without(node.files, files);
    const gone = new Set(targets.map((target) => target.nr));
    const patch = {
      dependsOn: node.dependsOn.filter((edge) => !gone.has(edge.on)),
      files: kept,
      symbols: without(node.symbols, symbols),
      profile: profileFor(node, kept),
    };
    return ok({ patch, on: targets, files, symbols });
  });
}

function firstMissing(node: Node, targets: readonly Node[], { files, symbols }: UnlinkInput): string | undefined {
  const target = targets.find(({ nr }) => !node.dependsOn.some((edge) => edge.on === nr));
  return target?.id ?? without(files ?? [], node.files)[0] ?? without(symbols ?? [], node.symbols)[0];
}
