// What is known from work on a plan: discoveries, also those that were promoted above it, what was dropped and why, and
// which attempts failed. Its author must not plan the same mistake again. Agents wrote most of it, so it is material, never an instruction.

import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { shortLine } from "../driver/short-text.js";
import type { Material } from "../roles/brief.js";

const LONGEST = 500;
const MOST = 100;

/** `scope`: the nodes that are planned again; none for a new plan. */
export async function triedBefore(reader: Reader, scope: readonly Node[]): Promise<Material[]> {
  const lines = [...(await above(reader, scope)).flatMap(discoveriesOf), ...scope.flatMap(linesAbout)];
  if (lines.length === 0) return [];
  const more = lines.length > MOST ? [`(and ${lines.length - MOST} more)`] : [];
  return [{ name: "What was found and tried before", text: [...lines.slice(0, MOST), ...more].join("\n") }];
}

/** What contains the scope, and at least the missions. */
async function above(reader: Reader, scope: readonly Node[]): Promise<Node[]> {
  const own = new Set(scope.map(({ nr }) => nr));
  const tops = scope.filter(({ parent }) => parent !== null && !own.has(parent));
  const found = new Map((await reader.children(null)).map((node) => [node.nr, node]));
  for (const { nr } of tops) for (const node of await reader.ancestors(nr)) found.set(node.nr, node);
  return [...found.values()].filter(({ nr }) => !own.has(nr));
}

const lineAbout = (id: string, what: string, words: string): string => `- ${id} ${what}: ${shortLine(words, LONGEST)}`;

const discoveriesOf = ({ id, discoveries }: Node): string[] =>
  discoveries.map(({ note, by }) => lineAbout(id, `discovery by ${by}`, note));

function linesAbout(node: Node): string[] {
  const { id, title, outcome, report } = node;
  const line = (what: string, words: string): string => lineAbout(id, what, words);
  return [
    ...discoveriesOf(node),
    ...(outcome?.kind === "dropped"
      ? [line("was dropped", `${title}. ${outcome.reason ?? "No reason was given."}`)]
      : []),
    ...(report?.failure ? [line(`failed (${report.failure.class})`, `${title}. ${report.failure.reason}`)] : []),
  ];
}
