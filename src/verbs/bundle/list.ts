import { isoTime } from "../../model/iso-time.js";
import { isSettled } from "../../model/status/rollup.js";
import { bundlePath, readBundle } from "../../plan/bundle/bundle-folder.js";
import { type Context, harmless, linesOr, minute, ok, planVerb, step } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "bundle list", hidden: true, group: "work" },
  summary: "List the bundles that are packed",
  effect: "reads",
  examples: [{ input: {}, does: "lists them with their size, and which are no longer needed" }],
  run: listBundles,
  text: linesOr("No bundles.", ({ id, title, tokens, createdAt, there, settled }, style) => {
    const state = [...(there ? [] : ["not on disk"]), ...(settled ? ["settled"] : [])].join(", ");
    const marks = state === "" ? "" : style.yellow(`  ${state}`);
    return `${style.bold(id)}  ${style.dim(minute(createdAt))}  ${String(tokens).padStart(6)} tokens  ${harmless(title)}${marks}`;
  }),
  next: (found) => (found.length === 0 ? [step("bundle.create", { ready: true })] : []),
});

/** `there`: the text is still on disk. `settled`: the task is finished, so the bundle is no longer needed. */
export function listBundles(context: Context) {
  return context.store.read(async (reader) => {
    const bundles = await reader.items("bundle", { state: "current" });
    const listed = await Promise.all(
      bundles.map(async ({ key, fields: { task: nr, tokens, createdAt } }) => {
        const task = await reader.node(nr);
        if (!task) return [];
        const { id, title } = task;
        const there = readBundle(context, id).text !== null;
        const rest = { tokens, there, settled: isSettled(task), createdAt: isoTime(createdAt) };
        return [{ id, title, bundle: key, path: bundlePath(id), ...rest }];
      }),
    );
    return ok(listed.flat());
  });
}
