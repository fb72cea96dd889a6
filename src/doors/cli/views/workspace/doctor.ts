// The view of `doctor`.

import type { Diagnosis } from "../../../../app/doctor/doctor.js";
import type { HealthFinding } from "../../../../app/doctor/finding.js";
import { harmless } from "../../../../app/text/harmless.js";
import { type Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const mark = (state: HealthFinding["state"], style: Style): string =>
  ({ ok: style.green("✓"), note: style.yellow("!"), problem: style.red("✗") })[state];

function linesOf({ subject, state, message, fix }: HealthFinding, style: Style): string[] {
  const head = `${mark(state, style)} ${style.bold(subject.padEnd(13))}  ${harmless(message)}`;
  return fix === null ? [head] : [head, style.dim(`                 ${harmless(fix)}`)];
}

const report = (findings: readonly HealthFinding[], style: Style): string =>
  findings.flatMap((finding) => linesOf(finding, style)).join("\n");

const doctor: ViewOf<"doctor"> = {
  text: ({ findings }, style) => report(findings, style),
  problems: ({ findings }: Diagnosis, style) => report(findings, style),
};

export const doctorViews = { doctor };
