// The artifacts of a run, by kind: which counts now, and how another takes its place.

import type { ArtifactKind } from "../../model/item/artifact.js";
import type { PlanningRun } from "../../model/item/planning-run.js";
import type { Change } from "../../model/operation/change.js";
import { saveArtifact } from "../../plan/item/save-artifact.js";
import type { Reader, Writer } from "../../store/store.js";
import type { Run } from "./runs.js";

export interface RunArtifact {
  readonly kind: ArtifactKind;
  readonly text: string;
  readonly format: "markdown" | "json" | "text";
  /** The file that it was read from. */
  readonly source?: string;
}

export const jsonArtifact = (kind: ArtifactKind, value: unknown): RunArtifact => ({
  kind,
  text: JSON.stringify(value, null, 1),
  format: "json",
});

/** The text that counts now. */
export async function currentText(reader: Reader, run: Run, kind: ArtifactKind): Promise<string | undefined> {
  const key = run.fields.current[kind];
  const artifact = key === undefined ? undefined : await reader.item("artifact", key);
  return artifact && reader.document(artifact.fields.hash);
}

/** Every text that the run ever had of a kind. */
export async function allTexts(reader: Reader, { key }: Run, kind: ArtifactKind): Promise<string[]> {
  const texts: string[] = [];
  for (const { fields } of await reader.items("artifact", { owner: key, state: kind }))
    texts.push((await reader.document(fields.hash)) ?? "");
  return texts;
}

/** What an artifact of a kind is made from, when it is there. */
const ORIGINS: Readonly<Record<ArtifactKind, readonly ArtifactKind[]>> = {
  spec: [],
  research: ["spec"],
  clarification: ["spec", "research"],
  "capability-map": ["spec", "clarification", "research"],
  "file-map": ["capability-map"],
  draft: ["spec", "clarification", "capability-map", "file-map", "draft"],
  findings: ["draft"],
  responses: ["findings"],
  verification: ["draft", "findings", "responses"],
  plan: ["draft", "findings", "verification"],
};

export interface Saved {
  readonly changes: readonly Change[];
  readonly current: PlanningRun["current"];
  readonly keys: readonly string[];
}

export async function saveArtifacts(
  writer: Writer,
  run: Pick<Run, "key" | "fields">,
  artifacts: readonly RunArtifact[],
  { actor, at }: { readonly actor: string; readonly at: number },
): Promise<Saved> {
  const changes: Change[] = [];
  const keys: string[] = [];
  let current = run.fields.current;
  for (const { kind, text, format, source = null } of artifacts) {
    const from = ORIGINS[kind].flatMap((origin) => current[origin] ?? []);
    const made = { kind, run: run.key, format, text, from, source, node: run.fields.node };
    const saved = await saveArtifact(writer, made, { by: actor, at });
    changes.push(...saved.changes);
    keys.push(saved.key);
    current = { ...current, [kind]: saved.key };
  }
  return { changes, current, keys };
}
