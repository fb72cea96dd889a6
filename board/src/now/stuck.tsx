// What is stuck, by its cause: one rejected task that holds three is one line, with what frees it.

import type { Output } from "../api/types.js";
import { Heading } from "../parts/bits.js";
import { Prose } from "../parts/prose.js";
import { Sign, type SignName } from "../parts/sign.js";
import { StepButton } from "../parts/step-button.js";
import { isOffered, looks } from "../parts/steps.js";
import { named, plural } from "../parts/words.js";

type Group = Output<"stuck">["groups"][number];

/** Why the others wait, in half a sentence. The whole reason is one click away. */
const CAUSES: Partial<Readonly<Record<Group["reason"], string>>> = {
  rejected: "was rejected",
  frozen: "is frozen",
  budget: "has no attempts left",
  "dep-dropped": "waits for something that was dropped",
};

/** The first sentence, without the output of a check that may follow. */
const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;

function wordsOf({ id, reason, status, tasks, nodes, sentence }: Group): string {
  const held = tasks.filter((task) => task !== id);
  const cause = status === "frozen" ? "is frozen" : (CAUSES[reason] ?? "does not go on");
  if (held.length === 0) return reason === "frozen" ? sentence : firstSentence(sentence);
  const more = nodes - tasks.length;
  const names = more > 0 ? `${named(held, 3)} and ${plural(more, "more task")}` : named(held, 3);
  return `${names} ${held.length === 1 ? "waits" : "wait"} for ${id}, which ${cause}.`;
}

const signOf = ({ id, tasks, status }: Group): SignName =>
  tasks.some((task) => task !== id) && status === "rejected" ? "blocked" : status;

export function Stuck({ data }: { readonly data: Output<"stuck"> | undefined }) {
  if (!data || data.groups.length === 0) return null;
  return (
    <section aria-label="Stuck, and what frees it">
      <Heading title="Stuck, and what frees it" count={data.tasks}>
        {data.total !== data.tasks && <span className="hint">{plural(data.total, "cause")}</span>}
      </Heading>
      <ul className="list">
        {data.groups.map((group) => {
          const step = group.next.find((each) => isOffered(each) && !looks(each));
          return (
            <li key={group.id} className="row">
              <Sign name={signOf(group)} />
              <span className="what one" title={group.sentence}>
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
