// Why a node stands where it does, in the server's sentences, with the buttons that settle it.

import { type ReactNode, useRef } from "react";
import { useRead } from "../api/reads.js";
import type { OperationName, Why } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { Id, Prose } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { Shown } from "../parts/states.js";
import { StepButton } from "../parts/step-button.js";
import { isOffered, looks } from "../parts/steps.js";

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
const KEYS: Partial<Readonly<Record<OperationName, string>>> = { reset: "r", land: "l", complete: "d" };

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
  const question = why.escalations[0];
  const steps = why.next.filter((step) => isOffered(step) && !(looks(step) && step.operation === "why"));
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
                kind={!question && index === 0 ? "primary" : ""}
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

export function WhyBox({ id }: { readonly id: string }) {
  const read = useRead("why", { reference: id });
  return (
    <Shown read={read} rows={2}>
      {(why) =>
        "chain" in why ? (
          <section className={`why${BAD.has(why.reason) ? "" : " calm"}`} aria-label="Why it stands there">
            <WhyBody why={why} beside={id} />
          </section>
        ) : null
      }
    </Shown>
  );
}
