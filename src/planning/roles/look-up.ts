// What a prompt does not show whole, by the names that it gives: a part of the brief, one node of the plan, one record, or
// one section of the spec. An agent in a read-only session may run no command, so it gets this through a tool.

import type { LookUp } from "../../machine/agents/look-up.js";
import { nodesOf } from "../contracts/plan-draft.js";
import type { Brief } from "./brief.js";
import { json } from "./call-budget.js";
import { seenBy } from "./fresh-eyes.js";

const orNothing = (value: unknown): string | undefined => {
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : json(value);
};

function parts(brief: Brief): [name: string, text: string | undefined][] {
  const { spec, feedback, materials } = brief;
  return [
    ["spec", spec.text === "" ? undefined : spec.text],
    ["map", orNothing(brief.map)],
    ["files", orNothing(brief.files)],
    ["plan", orNothing(brief.draft)],
    ["node", orNothing(brief.node)],
    ["initiatives", orNothing(brief.initiatives)],
    ["answers", orNothing(brief.answers)],
    ["assumptions", orNothing(brief.clarification?.assumptions)],
    ["records", orNothing(brief.records)],
    ["lessons", orNothing(brief.memories)],
    ["research", orNothing(brief.research)],
    ["settled", orNothing(brief.settled)],
    ["earlier", orNothing(brief.earlier)],
    ["responses", orNothing(brief.responses)],
    ...feedback.map((said): [string, string] => [`feedback ${said.source}`, json(said)]),
    ...materials.map(({ name, text }): [string, string] => [name, text]),
  ];
}

function ids({ draft, records, spec }: Brief): [id: string, text: string][] {
  const nodes = draft === null ? [] : nodesOf(draft);
  return [
    ...spec.sections.map(({ id, start, end }): [string, string] => [id, spec.text.slice(start, end)]),
    ...records.map(({ key, record }): [string, string] => [key, json(record)]),
    ...nodes.map((node): [string, string] => [node.id, json(node)]),
  ];
}

/** Only what the role may know: fresh eyes find no history here either. */
export function lookUpIn(brief: Brief): LookUp {
  let known: ReadonlyMap<string, string | undefined> | undefined;
  return (name) => {
    const seen = seenBy(brief);
    // A word of ours stands for a part, whatever ids a plan has.
    known ??= new Map([...ids(seen), ...parts(seen)].map(([called, text]) => [called.toLowerCase(), text]));
    return known.get(name.toLowerCase());
  };
}
