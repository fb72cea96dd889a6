import { bundleIntegrity, type Integrity } from "../../model/item/bundle.js";
import type { Context } from "../../plan/base/context.js";
import { currentBundle } from "../../plan/bundle/bundle.js";
import { gatherContents } from "../../plan/bundle/bundle-contents.js";
import { readBundle, sidecarText } from "../../plan/bundle/bundle-folder.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import {
  type Failure,
  fail,
  fields,
  type Item,
  type Node,
  node,
  ok,
  planVerb,
  type Result,
  resolve,
  step,
} from "../kit/verb.js";
import { harmless } from "../kit/wording.js";

export const input = fields({ reference: node("the task") });

export const verb = planVerb({
  command: { words: "bundle check", group: "work", positional: ["reference"] },
  summary: "Check that nothing changed since a bundle was packed",
  description:
    "Exits with 0 when the bundle is whole, 1 when something is missing, 2 when something has changed since it was packed, and lists each.",
  effect: "reads",
  resource: { address: "bundle", summary: "Whether the packed context of a task is still whole", field: "reference" },
  input,
  examples: [{ input: { reference: "TASK-00007" }, does: "compares the bundle with the plan and the files" }],
  run: async (context, { reference }) => {
    const checked = await checkBundle(context, reference);
    if (!checked.ok || checked.value.state === "whole") return checked;
    const { id, state } = checked.value;
    const { kind, message } = FAILURES[state];
    const next = [step("bundle.create", { references: [id] })];
    return fail({
      kind,
      reason: state,
      message: `The bundle of ${id} ${message}.`,
      details: { ...checked.value },
      next,
    });
  },
  text: ({ id }, style) => `${style.green("✓")} ${style.bold(id)}  everything is as it was packed.`,
  reports: ["drifted"],
  problems: ({ items }: Pick<Integrity, "items">, style) =>
    items.map(({ what, state, detail }) => {
      const sign = state === "missing" ? style.red("✗") : style.yellow("~");
      return `${sign} ${state}  ${style.bold(harmless(what))}  ${detail}`;
    }),
});

/** Drifted has an exit code of its own, that of something absent: the attempt can go on, and says so. */
const FAILURES = {
  missing: { kind: "problems", message: "is incomplete" },
  drifted: { kind: "absent", message: "has changed since it was packed" },
} as const satisfies Record<Exclude<Integrity["state"], "whole">, unknown>;

export function checkBundle(
  context: Context,
  reference: string,
): Promise<Result<Integrity & { readonly id: string; readonly bundle: string | null }>> {
  return context.store.read(async (reader) => {
    const node = await resolve(reader, reference, context);
    if (!node.ok) return node.error.kind === "absent" ? fail(asMissing(reference, node.error)) : node;
    const { id } = node.value;
    const item = await currentBundle(reader, node.value);
    if (!item) {
      const nothing = { what: "the bundle", state: "missing", detail: "was never packed, or was removed" } as const;
      return ok({ id, bundle: null, state: "missing", items: [nothing] });
    }
    const integrity = await compare(reader, context, node.value, item);
    return integrity.ok ? ok({ id, bundle: item.key, ...integrity.value }) : integrity;
  });
}

/** Exit code 2 means that a bundle has changed, so a task that does not exist counts as missing. */
function asMissing(reference: string, { details, ...error }: Failure): Failure {
  const items = [{ what: reference, state: "missing", detail: error.message }];
  return { ...error, kind: "problems", details: { ...details, items } };
}

async function compare(
  reader: Reader,
  context: Context,
  task: Node,
  { key, fields }: Item<"bundle">,
): Promise<Result<Integrity>> {
  const lessons = Object.keys(fields.parts).filter((part) => part.startsWith("MEM-"));
  const now = await gatherContents(reader, context, task, lessons);
  if (!now.ok) return now;
  const { text, sidecar } = readBundle(context, task.id);
  const { content, parts, files } = now.value;
  const written = {
    text: text === null ? null : sha256(text),
    sidecar: sidecar === null ? null : sidecar === sidecarText(key, task.id, fields),
  };
  return ok(bundleIntegrity(fields, { ...written, content, parts, files }));
}
