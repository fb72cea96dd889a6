import { describe, expect, it } from "vitest";
import { type AgentFacts, chooseWorker, type WorkerChoice, type WorkerSettings } from "./choose-worker.js";

const NOTHING: WorkerSettings = { profiles: {}, roles: {}, agents: {} };
const COMMANDS = "```sh run\ntrue\n```";
const task = { profile: null, kind: "work", body: COMMANDS } as const;
const PLAIN = { ...task, body: "Write it." };
const REVIEW = { ...PLAIN, kind: "review" } as const;

const shell = (name = "shell", command: string | null = null): WorkerChoice => ({ kind: "shell", name, command });
const none = (agent: string, problem: "unknown-agent" | "not-installed" | "no-commands"): WorkerChoice => ({
  kind: "none",
  agent,
  problem,
});
const agent = (name: string): WorkerChoice => ({ kind: "agent", serving: { agent: name } });
const roles = (name: string): WorkerSettings => ({ ...NOTHING, roles: { worker: { agent: name } } });

type Case = [string, Parameters<typeof chooseWorker>[0], WorkerSettings, Partial<AgentFacts>, WorkerChoice];

describe("who works on a task", () => {
  it.each<Case>([
    ["the first installed agent", PLAIN, NOTHING, { first: "codex" }, agent("codex")],
    ["the shell, if no agent is installed", task, NOTHING, {}, shell()],
    ["nobody, if it has no commands either", PLAIN, NOTHING, {}, none("shell", "no-commands")],
    ["the shell for a review, which needs no commands", { ...PLAIN, kind: "review" }, NOTHING, {}, shell()],
    ["the worker", PLAIN, roles("codex"), { named: "installed", first: "claude" }, agent("codex")],
    [
      "whoever serves every role",
      PLAIN,
      { ...NOTHING, roles: { "*": { agent: "codex" } } },
      { named: "installed" },
      agent("codex"),
    ],
    ["nobody, if the worker is unknown", task, roles("ghost"), { named: "unknown" }, none("ghost", "unknown-agent")],
    [
      "nobody, if the worker is not installed",
      task,
      roles("codex"),
      { named: "not-installed", first: "claude" },
      none("codex", "not-installed"),
    ],
    ["the shell, if it is named", task, roles("shell"), { first: "claude" }, shell()],
    ["nobody, if the shell is named and has nothing to run", PLAIN, roles("shell"), {}, none("shell", "no-commands")],
    [
      "a command of one's own, for any task",
      PLAIN,
      { ...roles("mine"), agents: { mine: { shell: "./do" } } },
      {},
      shell("mine", "./do"),
    ],
    [
      "whoever serves its profile before all others",
      { ...PLAIN, profile: "docs" },
      { ...roles("ghost"), profiles: { docs: { agent: "codex" } } },
      { named: "installed" },
      agent("codex"),
    ],
    [
      "the reviewer for a review, before the worker",
      REVIEW,
      { ...NOTHING, roles: { worker: { agent: "codex" }, reviewer: { agent: "claude" } } },
      { named: "installed" },
      agent("claude"),
    ],
    [
      "whoever serves every role as reviewer, too",
      REVIEW,
      { ...NOTHING, roles: { worker: { agent: "codex" }, "*": { agent: "claude" } } },
      { named: "installed" },
      agent("claude"),
    ],
    [
      "nobody for a review, if the reviewer is not installed",
      REVIEW,
      { ...NOTHING, roles: { reviewer: { agent: "claude" } } },
      { named: "not-installed", first: "codex" },
      none("claude", "not-installed"),
    ],
    ["the first installed agent for a review", REVIEW, NOTHING, { first: "codex" }, agent("codex")],
    [
      "the worker for a review that runs commands",
      { ...REVIEW, body: COMMANDS },
      { ...NOTHING, roles: { worker: { agent: "codex" }, reviewer: { agent: "claude" } } },
      { named: "installed" },
      agent("codex"),
    ],
    ...["none", "outline", "shell", "mine"].map(
      (name): Case => [
        `the worker for a review, if the reviewer is ${name}, which cannot review`,
        REVIEW,
        {
          ...NOTHING,
          roles: { worker: { agent: "codex" }, reviewer: { agent: name } },
          agents: { mine: { shell: "./do" } },
        },
        { named: "installed" },
        agent("codex"),
      ],
    ),
  ])("is %s", (_, wanted, settings, facts, choice) => {
    expect(chooseWorker(wanted, settings, { first: null, named: "unknown", ...facts })).toEqual(choice);
  });
});
