// A small spec with everything that the roles make of it, and servers of roles that say what a test wants.

import { afterEach, beforeEach } from "vitest";
import type { Usage } from "../src/machine/agents/agent.js";
import type { VerbName } from "../src/model/next-step.js";
import { ok, type Result } from "../src/model/result.js";
import type { Role } from "../src/planning/machine/machine.js";
import type { Project } from "../src/planning/project.js";
import type { RoleReply, RoleRequest, RoleServer } from "../src/planning/roles/server.js";
import { type AppliedRun, type ApplyInput, applyRun } from "../src/planning/run/apply.js";
import type { Request } from "../src/planning/run/begin.js";
import { abortRun, resumeRun, reviseRun, startRun } from "../src/planning/run/resume.js";
import type { Hooks, PlanningServices, Progress } from "../src/planning/run/services.js";
import { diffRun, listPlans, type RunDiff, type ShownRun, showRun } from "../src/planning/run/show.js";
import type { Intake } from "../src/planning/run/stored-run.js";
import type { PlanningRunView } from "../src/planning/run/view.js";
import { mayAsk } from "../src/verbs/app.js";
import { verifyPlan } from "../src/verbs/history/verify.js";
import type { Engines, Session } from "../src/verbs/kit/session.js";
import type { InputOf, OutputOf } from "../src/verbs/kit/verb.js";
import { loadVerb } from "../src/verbs/list.js";
import { ask } from "./ask.js";
import { addInbox, makePlan, must, type TestPlan } from "./plan.js";

export const SPEC = `# Greeter

## Greeting

- REQ-1 The program greets the person by name.
- REQ-2 Without a name it greets the world.

## Storage

- REQ-3 The last name is remembered in a file.
`;

export const CLARIFICATION = {
  intent: "A program that greets.",
  questions: [
    {
      id: "Q1",
      question: "In which language does it greet?",
      options: [{ label: "English" }, { label: "Latin" }],
      default: "English",
    },
  ],
  assumptions: [{ text: "It runs in a terminal.", because: "nothing else is said" }],
};

export const MAP = {
  goals: ["greet"],
  nonGoals: [],
  domains: [
    {
      id: "D1",
      name: "Greeting",
      capabilities: [
        {
          id: "C1",
          name: "Greet",
          quote: "The program greets the person by name.",
          behaviours: [
            {
              id: "B1",
              name: "greet by name",
              type: "output",
              quote: "The program greets the person by name.",
              requirements: ["REQ-1"],
            },
            {
              id: "B2",
              name: "greet the world",
              type: "output",
              quote: "Without a name it greets the world.",
              requirements: ["REQ-2"],
            },
          ],
        },
      ],
    },
    {
      id: "D2",
      name: "Storage",
      capabilities: [
        {
          id: "C2",
          name: "Remember",
          quote: "The last name is remembered in a file.",
          behaviours: [
            {
              id: "B3",
              name: "remember",
              type: "state",
              quote: "The last name is remembered in a file.",
              requirements: ["REQ-3"],
            },
          ],
        },
      ],
    },
  ],
  flows: [{ id: "F1", name: "greet", steelThread: true, steps: ["B1"] }],
};

export const FILES = {
  behaviours: [
    {
      behaviour: "B1",
      files: [{ path: "src/greet.sh", action: "create", purpose: "greets" }],
      tests: ["test/greet.sh"],
    },
    { behaviour: "B2", files: [{ path: "src/greet.sh", action: "extend" }] },
    { behaviour: "B3", files: [{ path: "src/store.sh", action: "create" }] },
  ],
};

const task = (
  id: string,
  title: string,
  behaviours: string[],
  requirements: string[],
  path: string,
  more: object = {},
): object => ({
  id,
  parent: "F1",
  title,
  body: `Do it: ${title}.`,
  behaviours,
  requirements,
  quotes: [],
  files: [
    { path, action: "create", purpose: "the code" },
    { path: `test/${id.toLowerCase()}.sh`, action: "create" },
  ],
  checks: [{ run: `sh test/${id.toLowerCase()}.sh` }],
  estimateHours: 2,
  ...more,
});

export const DRAFT = {
  title: "Greeter",
  overview: "A shell program that greets.",
  decisions: [
    { id: "D01", title: "Plain shell", choice: "sh", because: "it is there", alternatives: ["Python"], tasks: ["T1"] },
  ],
  risks: [{ risk: "names with spaces", mitigation: "quote them" }],
  rollback: "Remove the files.",
  features: [{ id: "F1", title: "Greeter" }],
  tasks: [
    task("T1", "Greet by name", ["B1"], ["REQ-1"], "src/greet.sh", { steelThread: true }),
    task("T2", "Greet the world", ["B2"], ["REQ-2"], "src/world.sh", { dependsOn: ["T1"] }),
    task("T3", "Remember the name", ["B3"], ["REQ-3"], "src/store.sh"),
  ],
};

const RATINGS = {
  consistency: "pass",
  soundness: "pass",
  implementability: "pass",
  completeness: "pass",
  risk: "pass",
};

export const CRITIQUE = { findings: [], ratings: RATINGS, assessment: { quality: "It would work. It is small." } };

export const objection = (id: string, severity: string): object => ({
  ...CRITIQUE,
  findings: [
    {
      id,
      severity,
      area: "completeness",
      title: "Something is missing",
      description: "A test for spaces.",
      nodes: ["T1"],
    },
  ],
});

export const OVERVIEW = { findings: [], assessment: "Good. It holds together." };

export const REVISION = {
  tasks: [{ ...(DRAFT.tasks[0] as object), body: "Do it, also for names with spaces." }],
  responses: [{ finding: "K1", action: "fixed" }],
};

/** What a role answers when all goes well. */
export const ANSWERS: Readonly<Record<string, unknown>> = {
  clarifier: { ...CLARIFICATION, questions: [] },
  "author capabilities": MAP,
  "author files": FILES,
  "author tasks": DRAFT,
  "author revise": REVISION,
  critic: CRITIQUE,
  overviewer: OVERVIEW,
};

export const topicOf = ({ brief: { role, stage, revise } }: Pick<RoleRequest, "brief">): string =>
  role !== "author" ? role : revise ? "author revise" : `author ${stage}`;

const USAGE: Usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 0, costUsd: 0.01 };

export const reply = (output: unknown, more: Partial<RoleReply> = {}): RoleReply => ({
  ending: "finished",
  output,
  text: "",
  usage: USAGE,
  durationMs: 5,
  session: "session-1",
  ...more,
});

/** A reply as it is, or an answer that becomes one. */
export const said = (words: unknown): RoleReply =>
  typeof words === "object" && words !== null && "ending" in words ? (words as RoleReply) : reply(words);

export type Answer = (topic: string, request: RoleRequest) => RoleReply | Promise<RoleReply>;

/** A plan with an inbox before each test; after it, the log must replay to exactly what is stored. */
export function planForEach(use: (plan: TestPlan) => void): void {
  let plan: TestPlan;
  beforeEach(async () => {
    plan = await makePlan();
    await addInbox(plan);
    use(plan);
  });
  afterEach(async () => {
    const { differences } = must(await verifyPlan(plan));
    await plan.store.close();
    if (differences.length > 0) throw new Error(JSON.stringify(differences));
  });
}

/** The operations of planning, and everything that was asked of the roles, in order. */
export interface Rig {
  plan(request: Request): Promise<Result<PlanningRunView>>;
  resume(run?: string, changes?: Partial<Intake>): Promise<Result<PlanningRunView>>;
  revise(run: string, note: string): Promise<Result<PlanningRunView>>;
  abort(run?: string): Promise<Result<PlanningRunView>>;
  show(run?: string): Promise<Result<ShownRun>>;
  list(): Promise<PlanningRunView[]>;
  diff(run?: string): Promise<Result<RunDiff>>;
  apply(run?: string, more?: Partial<ApplyInput>): Promise<Result<AppliedRun>>;
  /** Asks for an operation of the catalogue. */
  ask<Name extends VerbName>(
    name: Name,
    input: InputOf<Name>,
    more?: Partial<Session>,
  ): Promise<Result<OutputOf<Name>>>;
  approve(run?: string, more?: Partial<ApplyInput>): Promise<Result<AppliedRun>>;
  readonly asked: string[];
  readonly requests: RoleRequest[];
  readonly progress: Progress[];
  readonly hooks: Hooks;
  readonly services: PlanningServices;
}

const AROUND: Project = {
  commit: null,
  unseen: async () => [],
  files: async () => [],
  lines: async (file) => (file === "src/there.ts" ? 10 : undefined),
  hasTool: (name) => name === "sh",
  scripts: async () => undefined,
  commands: async () => [],
  materials: async () => [],
};

interface RigOptions {
  readonly served?: readonly Role[];
  readonly answer?: Answer;
  readonly hooks?: Partial<Hooks>;
  readonly services?: Partial<PlanningServices>;
}

export function planningRig(
  plan: TestPlan,
  { served = ["clarifier", "author", "critic", "overviewer"], answer, hooks, services }: RigOptions = {},
): Rig {
  const asked: string[] = [];
  const requests: RoleRequest[] = [];
  const progress: Progress[] = [];
  const server: RoleServer = {
    agent: "scripted",
    model: "m1",
    version: async () => "1.0.0",
    question: ({ role }) => `What says the ${role}?`,
    serve: async (request) => {
      const topic = topicOf(request);
      asked.push(topic);
      requests.push(request);
      return answer ? answer(topic, request) : reply(ANSWERS[topic]);
    },
  };
  const given: PlanningServices = {
    context: plan,
    limits: {
      roleTimeoutMinutes: 30,
      windowTokens: 60_000,
      answerHours: 0,
      maxCostUsd: null,
      maxTokens: null,
      revisions: 5,
      overviews: 3,
    },
    readProject: async () => AROUND,
    readingFolder: async () => ({
      layOut: async () => ok("/nowhere"),
      written: async () => [],
      letGo: () => undefined,
    }),
    removeReadingFolders: async () => undefined,
    serverFor: async (role) => (served.includes(role) ? server : null),
    isStandIn: () => false,
    redact: (text) => text,
    retryDelaysMs: [],
    transcripts: "/nowhere",
    process: "here/1",
    isAlive: () => false,
    ...services,
  };
  const watching: Hooks = {
    signal: new AbortController().signal,
    onProgress: (event) => progress.push(event),
    ...hooks,
  };
  const engines = async (): Promise<Engines> => ({ planning: async () => given }) as Engines;
  // The operation says who may ask.
  const applying =
    (approve: boolean): Rig["apply"] =>
    async (run, more) => {
      const may = mayAsk(await loadVerb("plan.apply"), plan.actor);
      return may.ok ? applyRun(given, { run, approve, ...more }) : may;
    };
  return {
    plan: (asking) => startRun(given, asking, watching),
    resume: (run, changes = {}) => resumeRun(given, run, changes, watching),
    revise: (run, note) => reviseRun(given, { run, note }, watching),
    abort: (run) => abortRun(given, run),
    show: (run) => showRun(given, run),
    list: () => listPlans(given),
    diff: (run) => diffRun(given, run),
    apply: applying(false),
    approve: applying(true),
    ask: (name, input, more) => ask(plan, name, input, { engines, ...more }),
    asked,
    requests,
    progress,
    hooks: watching,
    services: given,
  };
}

export const request = (more: Partial<Request> = {}): Request => ({
  mode: "new",
  kind: "file",
  text: SPEC,
  source: "docs/spec.md",
  node: null,
  earlier: null,
  from: null,
  stack: null,
  target: null,
  agent: null,
  model: null,
  effort: null,
  clean: false,
  research: false,
  level: "normal",
  timeoutMs: 1000,
  maxCostUsd: null,
  maxTokens: null,
  defaults: false,
  commitTo: null,
  ...more,
});

/** The usual answers, but for these topics; of a list one each time. */
export const withAnswers = (changes: Readonly<Record<string, unknown>>): Answer => {
  const queues = new Map(
    Object.entries(changes).map(([topic, words]) => [
      topic,
      Array.isArray(words) ? [...(words as unknown[])] : [words],
    ]),
  );
  return (topic) => {
    const queue = queues.get(topic);
    return said(queue && queue.length > 0 ? queue.shift() : ANSWERS[topic]);
  };
};
