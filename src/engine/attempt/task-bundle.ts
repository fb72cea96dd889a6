// The bundle of an attempt: everything that its worker and its reviewer have to know about the task.

import { createBundles } from "../../plan/bundle/bundle.js";
import type { EngineServices } from "../services.js";
import type { LiveAttempt } from "./attempt-state.js";

interface PackedTask {
  readonly key: string;
  readonly text: string;
}

/** Packs the task as it is now. If nothing has changed since it was packed before, the bundle stays the same. */
export async function packTask({ context }: EngineServices, { id }: { readonly id: string }): Promise<PackedTask> {
  const packed = await createBundles(context, { references: [id], verb: "attempt" });
  if (!packed.ok) throw new Error(packed.error.message);
  const [made] = packed.value.bundles;
  if (!made) throw new Error(`${id} could not be packed.`);
  return { key: made.bundle, text: made.text };
}

/** The text that was packed for this attempt. */
export async function bundleTextOf(services: EngineServices, { attempt, task }: LiveAttempt): Promise<string> {
  const { bundle } = attempt;
  const stored = await services.context.store.read(async (reader) => {
    const item = bundle === null ? undefined : await reader.item("bundle", bundle);
    return item && reader.document(item.fields.hash);
  });
  return stored ?? (await packTask(services, task)).text;
}
