// A planning run as its machine sees it: events in, and in one line what it asks for.

import { type Beginning, begin, type Event, type Machine, type Role } from "../src/planning/machine/machine.js";
import { reduce } from "../src/planning/machine/reduce.js";
import type { Verdict } from "../src/planning/machine/verdict.js";

/** Every role but the researcher is served. */
export const SERVED: Role[] = ["clarifier", "author", "critic", "overviewer"];

export class Run {
  machine: Machine;
  /** In one line, what it asks for since the last event; nothing if it asks for nothing new. */
  says = "";

  constructor(beginning: Partial<Beginning> = {}) {
    this.machine = begin({ mode: "new", served: SERVED, ...beginning });
    this.on({ type: "started" });
  }

  on(event: Event): this {
    const before = this.machine;
    this.machine = reduce(before, event);
    this.says = isNews(before, this.machine) ? say(this.machine) : "";
    return this;
  }

  reply(outcome: Omit<Extract<Event, { type: "replied" }>, "type" | "call"> = {}): this {
    return this.on({ type: "replied", call: this.machine.calls, ...outcome });
  }

  fail(how: Extract<Event, { type: "failed" }>["how"]): this {
    return this.on({ type: "failed", call: this.machine.calls, how });
  }

  /** From the start to the first review, with nothing to ask. */
  toReview(): this {
    while (this.machine.stage !== "review") {
      if (this.machine.wait.for === "program") this.on({ type: "sequenced" });
      else this.reply({ questions: [] });
    }
    return this;
  }

  /** One review: the verdict of the program, then of the critic. */
  review(conformance: Verdict, critic: Verdict = "approve", high: string[] = []): this {
    this.on({ type: "linted", verdict: conformance });
    return this.says.startsWith("ask critic") ? this.reply({ verdict: critic, high }) : this;
  }

  /** The author rewrites, the tasks are put in order again. */
  rewritten(): this {
    if (!this.says.startsWith("ask author tasks")) throw new Error(`nobody asked the author: ${this.says}`);
    return this.reply().on({ type: "sequenced" });
  }
}

/** Whether the machine asks for something that it did not ask for before: of several questions, the rest was asked already. */
const isNews = (before: Machine, now: Machine): boolean =>
  now !== before && !(before.wait.for === "answers" && now.wait.for === "answers");

function say({ wait, end, feedback }: Machine): string {
  if (end !== null) return `finish ${end}`;
  switch (wait.for) {
    case "role": {
      const { role, stage, part, revise, repair } = wait;
      const extras = [
        part ? `part ${part + 1}` : "",
        revise ? `revise on ${feedback.join("+")}` : "",
        repair ? `repair ${repair}` : "",
      ];
      return ["ask", role, stage, ...extras].filter(Boolean).join(" ");
    }
    case "answers":
      return `questions ${wait.open.join(" ")}`;
    case "choice":
      return `choose ${wait.matter}: ${wait.choices.join("|")}`;
    case "resume":
      return `halt ${wait.why}`;
    case "program":
      return wait.task;
    case "approval":
      return "present";
    case "nothing":
    default:
      return "";
  }
}
