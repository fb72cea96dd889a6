import { type Diagnosis, diagnose, type HealthFinding } from "../doctor/doctor.js";
import { fields } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { folderVerb } from "../kit/verb.js";
import { harmless } from "../text/wording.js";

const mark = (state: HealthFinding["state"], style: Style): string =>
  ({ ok: style.green("✓"), note: style.yellow("!"), problem: style.red("✗") })[state];

const report = (findings: readonly HealthFinding[], style: Style): string =>
  findings.flatMap((finding) => linesOf(finding, style)).join("\n");

export const input = fields({});

export const verb = folderVerb({
  command: { words: "doctor", group: "tool" },
  summary: "Check what Planwright needs here, and how to fix it",
  description:
    "Looks at Node, git, the repository and its main branch, the plan's file, the settings, coding agents and what is installed in them, the sandbox, hooks, signing, submodules, the daemon, permissions, and what killed programs left behind. It changes nothing.",
  effect: "runs",
  input,
  examples: [{ input: {}, does: "examines this folder" }],
  run: diagnose,
  text: ({ findings }, style) => report(findings, style),
  problems: ({ findings }: Diagnosis, style) => report(findings, style),
});

function linesOf({ subject, state, message, fix }: HealthFinding, style: Style): string[] {
  const head = `${mark(state, style)} ${style.bold(subject.padEnd(13))}  ${harmless(message)}`;
  return fix === null ? [head] : [head, style.dim(`                 ${harmless(fix)}`)];
}
