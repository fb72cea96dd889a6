// What is stuck, by its cause: one rejected task that holds three is one line, with what frees it.

import { useRead } from "../api/reads.js";
import type { Output } from "../api/types.js";
import { Heading } from "../parts/bits.js";
import { Prose } from "../parts/prose.js";
import { Sign } from "../parts/sign.js";
import { StepButton } from "../parts/step-button.js";
import { isOffered, looks } from "../parts/steps.js";
import { named } from "../parts/words.js";

type Group = Output<"stuck">["groups"][number];

/** The first sentence of the cause, without the whole output of a check. */
const cut = (sentence: string): string => (sentence.length > 160 ? `${sentence.slice(0, 160)} …` : sentence);

function wordsOf({ id, tasks, sentence }: Group): string {
  const held = tasks.filter((task) => task !== id);
  return held.length === 0 ? cut(sentence) : `${named(held)} ${held.length === 1 ? "waits" : "wait"}: ${cut(sentence)}`;
}

export function Stuck() {
  const { data } = useRead("stuck", {});
  if (!data || data.groups.length === 0) return null;
  return (
    <section aria-label="Stuck, and what frees it">
      <Heading title="Stuck, and what frees it" count={data.total} />
      <ul className="list">
        {data.groups.map((group) => {
          const step = group.next.find((each) => isOffered(each) && !looks(each));
          return (
            <li key={group.id} className="row">
              <Sign name={group.status} />
              <span className="what one">
                <Prose text={wordsOf(group)} />
              </span>
              {step && <StepButton step={step} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
