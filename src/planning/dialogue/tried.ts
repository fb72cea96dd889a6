// What is known from work on a branch: discoveries, what was dropped and why, and which attempts failed. Its author must not
// plan the same mistake again. Agents wrote most of it, so it is material, never an instruction.

import type { Node } from "../../graph/node/node.js";
import type { Reader } from "../../store/store.js";
import { shortLine } from "../driver/short-text.js";
import type { Material } from "../roles/brief.js";

const LONGEST = 500;
const MOST = 100;

export async function triedBelow(reader: Reader, root: Node): Promise<Material[]> {
  const nodes = [root, ...(await reader.descendants(root.nr))];
  const lines = nodes.flatMap(linesAbout);
  if (lines.length === 0) return [];
  const more = lines.length > MOST ? [`(and ${lines.length - MOST} more)`] : [];
  return [{ name: `What was found and tried below ${root.id}`, text: [...lines.slice(0, MOST), ...more].join("\n") }];
}

function linesAbout({ id, title, discoveries, outcome, report }: Node): string[] {
  const line = (what: string, words: string): string => `- ${id} ${what}: ${shortLine(words, LONGEST)}`;
  return [
    ...discoveries.map(({ note, by }) => line(`discovery by ${by}`, note)),
    ...(outcome?.kind === "dropped"
      ? [line("was dropped", `${title}. ${outcome.reason ?? "No reason was given."}`)]
      : []),
    ...(report?.failure ? [line(`failed (${report.failure.class})`, `${title}. ${report.failure.reason}`)] : []),
  ];
}
