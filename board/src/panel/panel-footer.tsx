// What you can do with a node, as the server says: a few verbs as buttons, and all of them, also those that it refuses now, in a list.

import { useEffect, useState } from "react";
import { act, undo } from "../api/act.js";
import { say } from "../api/say.js";
import { useSignal } from "../api/signal.js";
import type { ShownNode, Step, VerbName } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go } from "../frame/route.js";
import { AskingButton, Button } from "../parts/button.js";
import { confirmedInput, doneWords, labelOf, questionOf } from "../parts/steps.js";
import { pendingVerb } from "../plan/node-keys.js";
import { useVerbs, type Verb } from "./use-verbs.js";

const KEYS: Partial<Readonly<Record<VerbName, string>>> = {
  edit: "e",
  freeze: "f",
  undo: "u",
  move: "m",
  approve: "a",
};
/** These stand in the footer; the others in the list. */
const FIRST: readonly VerbName[] = ["edit", "freeze", "thaw", "drop"];

interface FooterProps {
  readonly node: ShownNode;
  /** Opens the form for the node's content, or for the words of a step. */
  readonly fill: (what: "edit" | Step) => void;
  /** A form is open: keys are for its fields. */
  readonly busy: boolean;
}

function take({ step }: Verb, id: string, fill: FooterProps["fill"]): void {
  if (step.operation === "edit") fill("edit");
  else if (step.operation === "approve") go({ approve: id });
  else if (step.operation === "undo") undo(id);
  else if (step.needs?.length) fill(step);
  else void act(step.operation, confirmedInput(step), doneWords(step));
}

function VerbButton({
  verb,
  id,
  fill,
}: {
  readonly verb: Verb;
  readonly id: string;
  readonly fill: FooterProps["fill"];
}) {
  const { step } = verb;
  const words = labelOf(step, id);
  const question = questionOf(step);
  const common = { kind: "quiet" as const, k: KEYS[step.operation], command: step.command };
  const run = (): void => take(verb, id, fill);
  if (question !== undefined && !step.needs?.length) {
    return (
      <AskingButton {...common} question={question} onClick={run}>
        {words}
      </AskingButton>
    );
  }
  return (
    <Button {...common} onClick={run}>
      {step.needs?.length && !words.endsWith("…") ? `${words} …` : words}
    </Button>
  );
}

function AllVerbs({
  verbs,
  id,
  fill,
}: {
  readonly verbs: readonly Verb[];
  readonly id: string;
  readonly fill: FooterProps["fill"];
}) {
  return (
    <ul className="all-verbs" aria-label={`What you can do with ${id}`}>
      {verbs.map((verb) => (
        <li key={verb.step.operation}>
          {verb.refused === null ? (
            <VerbButton verb={verb} id={id} fill={fill} />
          ) : (
            <span className="hint">
              {labelOf(verb.step, id).replace(" …", "")}: {verb.refused}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

export function PanelFooter({ node, fill, busy }: FooterProps) {
  const { id } = node;
  const verbs = useVerbs(id);
  const [all, setAll] = useState(false);
  const allowed = (name: VerbName): Verb[] => {
    const verb = verbs.get(name);
    return verb?.refused === null ? [verb] : [];
  };
  const keys = Object.entries(KEYS).flatMap(([name, key]) =>
    allowed(name as VerbName).map((verb) => [key, () => take(verb, id, fill)] as const),
  );
  useKeys(busy ? {} : Object.fromEntries(keys));
  const asked = useSignal(pendingVerb);
  useEffect(() => {
    const verb = asked === null ? undefined : verbs.get(asked);
    if (!verb) return;
    pendingVerb.set(null);
    if (verb.refused === null) take(verb, id, fill);
    else say(verb.refused, { tone: "stop" });
  }, [asked, verbs]);
  const rest = [...verbs.values()].filter(({ step }) => !FIRST.includes(step.operation) && step.operation !== "undo");
  return (
    <>
      {all && (
        <AllVerbs
          verbs={rest}
          id={id}
          fill={(what) => {
            setAll(false);
            fill(what);
          }}
        />
      )}
      <footer>
        {FIRST.flatMap(allowed).map((verb) => (
          <VerbButton key={verb.step.operation} verb={verb} id={id} fill={fill} />
        ))}
        <Button kind="quiet" pressed={all} onClick={() => setAll(!all)}>
          More
        </Button>
        <span className="grow" />
        {allowed("undo").map((verb) => (
          <VerbButton key="undo" verb={verb} id={id} fill={fill} />
        ))}
      </footer>
    </>
  );
}
