// What the server lets you do with a node, by operation. What it refuses comes with its reason.

import { useMemo } from "react";
import { useRead, useReads } from "../api/reads.js";
import type { Output, Step, VerbName } from "../api/types.js";

export interface Verb {
  readonly step: Step;
  readonly refused: string | null;
  readonly leadsTo: Output<"verbs">["verbs"][number]["leadsTo"];
}

export type Verbs = ReadonlyMap<VerbName, Verb>;

const toVerbs = (found: Output<"verbs"> | undefined): Verbs =>
  new Map(
    (found?.verbs ?? []).flatMap(({ next, refused, leadsTo }) =>
      next.map((step) => [step.operation, { step, refused, leadsTo }] as const),
    ),
  );

export function useVerbs(id: string | null): Verbs {
  const { data } = useRead("verbs", id === null ? null : { reference: id });
  return useMemo(() => toVerbs(data), [data]);
}

/** Verbs that take many nodes, and that none of these refuses: one step for all of them. */
export function useSharedVerbs(ids: readonly string[]): Verbs {
  const found = useReads(
    "verbs",
    ids.map((reference) => ({ reference })),
  );
  return useMemo(() => {
    const each = found.map(toVerbs);
    if (each.length === 0 || found.includes(undefined)) return new Map();
    const shared = [...(each[0] ?? [])].filter(([name, { step }]) => {
      const isForMany = Array.isArray(step.input["references"]);
      return isForMany && each.every((verbs) => verbs.get(name)?.refused === null);
    });
    return new Map(shared.map(([name, verb]) => [name, { ...verb, step: withReferences(verb.step, ids) }]));
  }, [found]);
}

function withReferences({ command, ...step }: Step, references: readonly string[]): Step {
  const [first, ...others] = references;
  const all = command?.replace(first ?? "", [first, ...others].join(" "));
  return { ...step, input: { ...step.input, references }, ...(all !== undefined && { command: all }) };
}
