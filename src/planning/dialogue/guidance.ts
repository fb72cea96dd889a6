// What a person says to the author of a run: kept as feedback, like the findings of a reviewer.

import { jsonArtifact, type RunArtifact } from "../driver/artifacts.js";

/** The id under which the author answers it. */
const PERSON = "person";

export function guidanceOf(note: string, round: number): RunArtifact {
  const finding = { id: PERSON, severity: "high", title: "What the person asks for", description: note };
  return jsonArtifact("findings", {
    source: PERSON,
    round,
    verdict: "revise",
    findings: [finding],
    questions: [],
    note,
  });
}
