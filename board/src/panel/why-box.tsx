// Why a node stands where it does, in the server's sentences, with the buttons that settle it.

import { useRead } from "../api/reads.js";
import type { Why } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { go } from "../frame/route.js";
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

export function WhyBody({ why, beside }: { readonly why: Why; readonly beside: string }) {
  const question = why.escalations[0];
  const steps = why.next.filter((step) => isOffered(step) && !(looks(step) && step.operation === "why"));
  const first = why.chain[0];
  useKeys(question ? { r: () => go({ view: "now", item: question.id }) } : {});
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
      {(question || steps.length > 0) && (
        <div className="acts">
          {question && <StepButton kind="primary" step={question.answer} label={`Answer ${question.id}`} />}
          {steps.slice(0, MOST_STEPS).map((step, index) => (
            <StepButton
              key={JSON.stringify(step)}
              step={step}
              beside={beside}
              kind={!question && index === 0 ? "primary" : ""}
            />
          ))}
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
