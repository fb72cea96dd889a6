// Why a node stands where it does, in the server's sentences, with the buttons that settle it.

import { type ReactNode, useRef } from "react";
import { useRead } from "../api/reads.js";
import type { Step, VerbName, Why } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go } from "../frame/route.js";
import { Button } from "../parts/button.js";
import { Id, Prose } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Shown } from "../parts/states.js";
import { StepButton } from "../parts/step-button.js";
import { isOffered, looks, subjectOf } from "../parts/steps.js";
import { useRunning } from "../plan/running.js";

const MOST_STEPS = 4;

function Chain({ why }: { readonly why: Why }) {
  const rest = why.chain.slice(1, 5);
  if (rest.length === 0) return null;
  return (
    <ul className="chain">
      {rest.map(({ id, status, sentences }) => (
        <li key={id}>
          <Sign name={status} size={12} />
          <span>{sentences[0] === undefined ? <Id id={id} /> : <Prose text={sentences[0]} />}</span>
        </li>
      ))}
    </ul>
  );
}

/** Keys of the steps that you take most. */
const KEYS: Partial<Readonly<Record<VerbName, string>>> = { reset: "r", land: "l", complete: "d" };

export function WhyBody({
  why,
  beside,
  children,
}: {
  readonly why: Why;
  readonly beside: string;
  /** Further buttons. */
  readonly children?: ReactNode;
}) {
  const question = why.questions[0];
  // A look at the node itself, or at why it waits, is what you have before you.
  const isHere = (step: Step): boolean => looks(step) && (step.operation === "why" || subjectOf(step) === beside);
  const steps = why.next.filter((step) => isOffered(step) && !isHere(step));
  const shown = steps.filter(({ operation }) => !question || operation !== "question.answer").slice(0, MOST_STEPS);
  const [first] = why.chain;
  const body = useRef<HTMLDivElement>(null);
  const press = (key: string) => (): void =>
    body.current?.querySelector<HTMLElement>(`[data-key="${key}"] button`)?.click();
  useKeys({
    ...Object.fromEntries(
      shown.flatMap(({ operation }) => {
        const key = KEYS[operation];
        return key === undefined ? [] : [[key, press(key)] as const];
      }),
    ),
    ...(question && { "ctrl+Enter": press("answer") }),
  });
  return (
    <>
      <p>
        {(first?.sentences ?? []).map((sentence) => (
          <span key={sentence}>
            <Prose text={sentence} />{" "}
          </span>
        ))}
        {first?.sentences.length === 0 && `It is ${why.status.replace("_", " ")}.`}
      </p>
      <Chain why={why} />
      {(question || shown.length > 0 || children) && (
        <div className="acts" ref={body}>
          {question && (
            <span className="step" data-key="answer">
              <StepButton kind="primary" k="Ctrl ⏎" step={question.answer} label={`Answer ${question.id}`} />
            </span>
          )}
          {shown.map((step, index) => (
            <span key={JSON.stringify(step)} className="step" data-key={KEYS[step.operation]}>
              <StepButton
                step={step}
                beside={beside}
                k={KEYS[step.operation]}
                kind={!question && why.reason !== "in-flight" && index === 0 ? "primary" : ""}
              />
            </span>
          ))}
          {children}
        </div>
      )}
    </>
  );
}

const BAD: ReadonlySet<string> = new Set(["rejected", "dep-rejected", "dep-dropped", "budget"]);

/** Leads to the attempt that works on it now. */
function Watch({ task }: { readonly task: string }) {
  const attempt = useRunning().get(task);
  if (!attempt) return null;
  return (
    <Button kind="primary" onClick={() => go({ view: "attempt", item: attempt.id })}>
      Watch {attempt.id}
    </Button>
  );
}

export function WhyBox({ id }: { readonly id: string }) {
  const read = useRead("why", { reference: id });
  return (
    <Shown read={read} rows={2}>
      {(why) =>
        "chain" in why ? (
          <section className={`why${BAD.has(why.reason) ? "" : " calm"}`} aria-label="Why it stands there">
            <WhyBody why={why} beside={id}>
              {why.reason === "in-flight" && <Watch task={id} />}
            </WhyBody>
          </section>
        ) : null
      }
    </Shown>
  );
}
