// What a planning run does next: pure, and the only place that decides it. An event that does not fit what the
// run waits for changes nothing, so a late or doubled event is harmless.

import type { Source } from "../contracts/findings.js";
import {
  type Choice,
  type Event,
  type Failing,
  type Machine,
  type Matter,
  overviewNumber,
  type Role,
  type RoleAsk,
  roundNumber,
} from "./machine.js";
import { gravest, stagnant, type Verdict } from "./verdict.js";

export function reduce(machine: Machine, event: Event): Machine {
  if (machine.end !== null) return machine;
  switch (event.type) {
    case "started":
      return machine.stage === "intake" && machine.wait.for === "nothing" ? start(machine) : machine;
    case "replied":
      return whenAsked(machine, event.call, (asked) => replied(machine, asked, event));
    case "misfit":
      return whenAsked(machine, event.call, (asked) => misfit(machine, asked));
    case "failed":
      return whenAsked(machine, event.call, (asked) => failed(machine, asked, event.how));
    case "linted":
      return isAtWork(machine, "lint") ? linted(machine, event.verdict, event.high ?? []) : machine;
    case "sequenced":
      return isAtWork(machine, "sequence") ? advance(machine) : machine;
    case "answered":
      return answered(machine, event.question);
    case "chosen":
      return chosen(machine, event.choice, event.guided ?? event.choice === "guide");
    case "resumed":
      return machine.wait.for === "resume" ? ask(machine, machine.wait.halted) : machine;
    case "changes-requested":
      return machine.wait.for === "approval" && machine.mode !== "review"
        ? rewrite({ ...machine, requested: { accepted: machine.accepted }, feedback: [] })
        : machine;
    case "edited":
      return mayEdit(machine) ? enter(byHand(machine)) : machine;
    case "approved":
    case "applied":
      return machine.wait.for === "approval" ? finish(machine, event.type) : machine;
    case "aborted":
    default:
      return finish(machine, "aborted");
  }
}

const whenAsked = (machine: Machine, call: number, then: (asked: RoleAsk) => Machine): Machine =>
  machine.wait.for === "role" && machine.wait.call === call ? then(machine.wait) : machine;

/** While no role works on the draft. */
const mayEdit = ({ mode, wait }: Machine): boolean =>
  mode !== "review" && (wait.for === "approval" || (wait.for === "choice" && wait.failed === null));

const byHand = (machine: Machine): Machine => ({
  ...machine,
  stage: "sequence",
  edited: true,
  feedback: [],
  declined: [],
  high: { critic: [], overviewer: [] },
});

const isAtWork = ({ wait }: Machine, task: "lint" | "sequence"): boolean =>
  wait.for === "program" && wait.task === task;

/** Asks a role; every question has a number of its own, also when it is the same question again. */
function ask(machine: Machine, asked: Pick<RoleAsk, "role" | "stage"> & Partial<RoleAsk>): Machine {
  const call = machine.calls + 1;
  return { ...machine, calls: call, wait: { part: 0, revise: false, repair: 0, ...asked, for: "role", call } };
}

/** The researcher reads first; then the stages follow one another. */
const start = (machine: Machine): Machine =>
  machine.served.researcher ? ask(machine, { role: "researcher", stage: "intake" }) : advance(machine);

function advance(machine: Machine): Machine {
  const stage = machine.path[machine.path.indexOf(machine.stage) + 1] ?? "approval";
  return enter({ ...machine, stage });
}

function enter(machine: Machine): Machine {
  switch (machine.stage) {
    case "intake":
      return advance(machine);
    case "clarify":
      return machine.served.clarifier ? ask(machine, { role: "clarifier", stage: "clarify" }) : advance(machine);
    case "capabilities":
    case "files":
      return ask(machine, { role: "author", stage: machine.stage });
    case "tasks":
      return ask(machine, { role: "author", stage: "tasks", revise: machine.mode === "revise" });
    case "sequence":
      return { ...machine, wait: { for: "program", task: "sequence" } };
    case "review":
      return { ...machine, conformance: null, wait: { for: "program", task: "lint" } };
    case "overview":
      return machine.served.overviewer && machine.accepted === null
        ? ask({ ...machine, overviews: machine.overviews + 1 }, { role: "overviewer", stage: "overview" })
        : advance(machine);
    case "approval":
    default:
      return machine.mode === "review"
        ? finish({ ...machine, verdict: machine.verdict ?? "approve" }, "reviewed")
        : { ...machine, wait: { for: "approval" } };
  }
}

type Reply = Extract<Event, { type: "replied" }>;

function replied(machine: Machine, asked: RoleAsk, reply: Reply): Machine {
  if (reply.more === true) return ask(machine, { ...asked, part: asked.part + 1, repair: 0 });
  switch (asked.role) {
    case "researcher":
      return advance(machine);
    case "clarifier": {
      const open = reply.questions ?? [];
      return open.length === 0 ? advance(machine) : { ...machine, wait: { for: "answers", open } };
    }
    case "author": {
      const isLast = asked.revise || asked.part + 1 >= machine.parts;
      return isLast ? authored(machine, asked, reply) : ask(machine, { ...asked, part: asked.part + 1, repair: 0 });
    }
    case "critic":
      return judge(machine, reply.verdict ?? "escalate", reply.high ?? []);
    case "overviewer":
    default:
      return overviewed(machine, reply.verdict ?? "revise", reply.high ?? []);
  }
}

/** A revision is judged again only if it says something new. */
function authored(machine: Machine, asked: RoleAsk, reply: Reply): Machine {
  // What a person said in between counts until the tasks are written.
  if (asked.stage !== "tasks") return advance(machine);
  const { feedback, requested } = machine;
  const now: Machine = { ...machine, feedback: [], declined: reply.declined ?? [], requested: null };
  if (feedback.length === 0) return advance(now);
  if ((reply.undecided ?? []).length > 0) return choose({ ...now, feedback }, "decision", ["guide", "accept", "abort"]);
  if (reply.repeated !== true) return advance(now);
  if (requested !== null) return enter({ ...now, stage: "approval", accepted: requested.accepted });
  return isMinor(machine) ? settled(now, feedback) : choose({ ...now, feedback }, "stagnation");
}

/** Nothing grave is open: what is left becomes notes, as it would in another round. */
const isMinor = ({ high, errors, conformance }: Machine): boolean =>
  errors.length === 0 && high.critic.length === 0 && high.overviewer.length === 0 && passes(conformance ?? "approve");

const settled = (machine: Machine, feedback: readonly Source[]): Machine =>
  advance({
    ...machine,
    stage: feedback.includes("overviewer") ? "overview" : "review",
    verdict: "approve-with-notes",
  });

/** Sent back with what was wrong; then the run stops where it is. */
const misfit = (machine: Machine, asked: RoleAsk): Machine =>
  asked.repair < machine.limits.repairs
    ? ask(machine, { ...asked, repair: asked.repair + 1 })
    : halt(machine, asked, "unreadable");

/** Time and money are a matter of going on later; for the rest a person has to look. */
function failed(machine: Machine, asked: RoleAsk, how: Failing): Machine {
  if (how === "timeout" || how === "cancelled" || how === "over-budget" || how === "unreadable") {
    return halt(machine, asked, how);
  }
  return choose(machine, "failure", WAYS_ON[asked.role], asked);
}

/** After a failure. Words for the author make sense where it is asked again, or can be. */
const WAYS_ON: Readonly<Record<Role, readonly Choice[]>> = {
  researcher: ["retry", "skip", "abort"],
  clarifier: ["retry", "skip", "abort"],
  author: ["retry", "guide", "abort"],
  critic: ["retry", "skip", "guide", "abort"],
  overviewer: ["retry", "skip", "guide", "abort"],
};

const halt = (machine: Machine, asked: RoleAsk, why: Failing): Machine => ({
  ...machine,
  wait: { for: "resume", halted: { ...asked, repair: 0 }, why },
});

function linted(machine: Machine, conformance: Verdict, high: readonly string[]): Machine {
  const now = { ...machine, conformance, errors: high };
  if (machine.edited) return returned({ ...now, edited: false }, conformance);
  if (conformance === "escalate") {
    // There is nothing that a critic could judge, so nothing that it said before counts.
    const reset = {
      ...now,
      conformanceFirst: true,
      high: { ...now.high, critic: [] },
      feedback: ["conformance"] as const,
    };
    return machine.mode === "review" ? conclude(reset, "escalate") : askOrLimit(reset, "conformance");
  }
  if (machine.conformanceFirst && !passes(conformance)) return judge(now, "approve", []);
  const next = { ...now, conformanceFirst: false };
  return machine.served.critic ? ask(next, { role: "critic", stage: "review" }) : judge(next, "approve", []);
}

/** Back to the person who edited the draft: to approve it, or to decide about what the program found. */
const returned = (machine: Machine, conformance: Verdict): Machine =>
  passes(conformance)
    ? enter({ ...machine, stage: "approval", verdict: conformance })
    : choose({ ...machine, feedback: ["conformance"] }, "conformance");

/** Approval is looked at before limits: a plan that everybody approves is never held up by a count. */
function judge(machine: Machine, critic: Verdict, objections: readonly string[]): Machine {
  const high = [...machine.errors, ...objections];
  const conformance = machine.conformance ?? "approve";
  const verdicts = { conformance, critic };
  const feedback = (["conformance", "critic"] as const).filter((source) => verdicts[source] !== "approve");
  const now: Machine = { ...machine, high: { ...machine.high, critic: high }, feedback };
  if (passes(conformance) && passes(critic))
    return advance({ ...now, feedback: [], verdict: gravest([conformance, critic]) });
  if (machine.mode === "review") return conclude(now, critic === "escalate" ? "escalate" : "revise");
  if (objections.some((id) => machine.declined.includes(id))) return choose(now, "declined");
  if (stagnant(machine.high.critic, high, machine.round + 1)) return choose(now, "stagnation");
  if (critic === "escalate") return askOrLimit(now, "critic");
  return machine.round >= machine.limits.revisions ? choose(now, "limit") : rewrite(now);
}

function overviewed(machine: Machine, verdict: Verdict, high: readonly string[]): Machine {
  const now: Machine = { ...machine, high: { ...machine.high, overviewer: high }, feedback: ["overviewer"] };
  if (passes(verdict)) {
    return advance({ ...now, feedback: [], verdict: gravest([machine.verdict ?? "approve", verdict]) });
  }
  if (machine.mode === "review") return conclude(now, "revise");
  if (machine.overviews >= machine.limits.overviews) return choose(now, "overview", ["guide", "accept", "abort"]);
  if (high.some((id) => machine.declined.includes(id))) return choose(now, "declined");
  if (stagnant(machine.high.overviewer, high, machine.overviews)) return choose(now, "stagnation");
  return rewrite(now);
}

const passes = (verdict: Verdict): boolean => verdict === "approve" || verdict === "approve-with-notes";

const askOrLimit = (machine: Machine, matter: Matter): Machine =>
  choose(machine, machine.round >= machine.limits.revisions ? "limit" : matter);

const choose = (
  machine: Machine,
  matter: Matter,
  choices: readonly Choice[] = ["guide", "start-over", "accept", "abort"],
  failed: RoleAsk | null = null,
): Machine => ({ ...machine, wait: { for: "choice", matter, choices, failed } });

const withPerson = (feedback: readonly Source[]): Source[] => [
  ...feedback.filter((source) => source !== "person"),
  "person",
];

/** All counters begin again; the numbers of rounds go on. */
const restarted = (machine: Machine): Machine => ({
  ...machine,
  before: { rounds: roundNumber(machine), overviews: overviewNumber(machine) },
  round: 0,
  overviews: 0,
  high: { critic: [], overviewer: [] },
  declined: [],
});

/** The author again, with the feedback of the latest round alone. */
const rewrite = (machine: Machine): Machine =>
  ask(
    {
      ...machine,
      stage: "tasks",
      round: machine.round + 1,
      accepted: null,
      feedback: machine.feedback.length === 0 ? ["person"] : machine.feedback,
    },
    { role: "author", stage: "tasks", revise: true },
  );

const conclude = (machine: Machine, verdict: Verdict): Machine => finish({ ...machine, verdict }, "reviewed");

function answered(machine: Machine, question: string): Machine {
  if (machine.wait.for !== "answers" || !machine.wait.open.includes(question)) return machine;
  const open = machine.wait.open.filter((id) => id !== question);
  return open.length === 0 ? advance(machine) : { ...machine, wait: { for: "answers", open } };
}

function chosen(machine: Machine, choice: Choice, guided: boolean): Machine {
  const { wait } = machine;
  if (wait.for !== "choice" || !wait.choices.includes(choice)) return machine;
  const heard = guided ? { ...machine, feedback: withPerson(machine.feedback) } : machine;
  switch (choice) {
    case "abort":
      return finish(machine, "aborted");
    case "accept":
      // To the person who approves, and no further: accepting a plan as it is approves nothing.
      return enter({ ...machine, accepted: wait.matter, stage: "approval", feedback: [] });
    case "guide":
      return wait.failed?.role === "author"
        ? ask(heard, { ...wait.failed, repair: 0 })
        : rewrite(restarted({ ...heard, requested: null }));
    case "start-over":
      return rewrite(restarted(heard));
    case "retry":
      return wait.failed ? ask(heard, { ...wait.failed, repair: 0 }) : machine;
    case "skip":
    default:
      return wait.failed ? skip(machine, wait.failed.role) : machine;
  }
}

/** Continues without a role that failed. A review without its critic is the lint alone. */
function skip(machine: Machine, role: Role): Machine {
  const now = { ...machine, skipped: [...new Set([...machine.skipped, role])] };
  return role === "critic" ? judge(now, "approve-with-notes", []) : advance(now);
}

const finish = (machine: Machine, end: NonNullable<Machine["end"]>): Machine => ({
  ...machine,
  end,
  wait: { for: "nothing" },
});
