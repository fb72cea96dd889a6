// A line of a transcript as one of four things that a worker does: it reads, edits, runs or says. Pure.

export interface TranscriptLine {
  readonly verb: "reads" | "edits" | "runs" | "says";
  readonly text: string;
}

const RULES: readonly (readonly [RegExp, TranscriptLine["verb"]])[] = [
  [/^\$ /, "runs"],
  [/^(?:run|bash|exec|shell|execute)\b[:\s]*/i, "runs"],
  [/^(?:read|grep|glob|search|list|view|open|fetch)\b[:\s]*/i, "reads"],
  [/^(?:edit|write|create|delete|move|patch|update)\b[:\s]*/i, "edits"],
];

export function transcriptLine(line: string): TranscriptLine {
  for (const [pattern, verb] of RULES) {
    if (pattern.test(line)) return { verb, text: line.replace(pattern, "") };
  }
  return { verb: "says", text: line };
}
