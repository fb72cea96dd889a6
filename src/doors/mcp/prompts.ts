// What an agent is asked to be, as prompts that a person can pick in a client. Each says which tools to use and when to stop.

import { fromJsonSchema, type McpServer } from "@modelcontextprotocol/server";

const ROLES: Readonly<Record<string, { readonly summary: string; readonly text: (about: string) => string }>> = {
  planner: {
    summary: "Plan with your own subagents",
    text: (about) =>
      `Plan ${about || "what the person asks for"}. ${about === "" ? "If a run is open (plan step with brief), go on with it; otherwise start one" : "Start a run"} with plan host. Then repeat: call plan step with brief: true. If it has an ask, start a subagent (for conversation "resume", continue the one of that session; if it is gone, pass fresh: true) and tell it only this: call plan step with that call, do what the prompt says, change no file, and hand in with plan submit, with your own name as session. Print the lines of progress that it gets. If the step has questions, ask the person with your own question tool, and pass on each answer with plan answer. While the run is open, only delegate: write no plan and change no file yourself. When it is ready, tell the person to approve it; you cannot.`,
  },
  worker: {
    summary: "Do one task, from claim to done",
    text: (about) =>
      `Do one task of the plan: ${about === "" ? "claim the next one (claim next)" : `claim ${about} (claim start)`}. Work in the directory that the claim names, and only on the files of the task. Read everything about it with claim context. When you think it is finished, call complete: the checks decide. If a check fails, fix the cause and call complete again. If the task is wrong or impossible, call give_up with the reason.`,
  },
  researcher: {
    summary: "Find out what a plan has to know",
    text: (about) =>
      `Find out what the plan has to know about ${about || "this project"}. Read code and documents, and change no file. Write down what you find with record: decisions that the code already made, assumptions, and lessons.`,
  },
  clarifier: {
    summary: "Find the questions that only a person can answer",
    text: (about) =>
      `Read ${about || "the plan"} (show, find tree). Ask the person at most five questions that only they can answer, each with two to four options and the one that you recommend. Write each answer down with record add, as a decision.`,
  },
  author: {
    summary: "Break a node down into tasks",
    text: (about) =>
      `Break ${about || "the plan"} down into stories and tasks with add. Each task has a parent, the files that it touches (three at most), what it depends on, and a check: a command that fails now and passes when the task is done. Do not approve anything. Finish with plan lint, and fix what it reports.`,
  },
  critic: {
    summary: "Judge a plan before a person approves it",
    text: (about) =>
      `Judge the plan below ${about || "MISSION"} (find tree, show). Look for work that is missing, tasks without a check that proves them, wrong order, and tasks that are too large. Put each finding on its node with edit comment, with its severity and evidence. Change nothing else.`,
  },
  overviewer: {
    summary: "Compare a plan with the code, with fresh eyes",
    text: (about) =>
      `Compare the plan below ${about || "MISSION"} with the code as it is. You have seen neither before. Where the plan assumes something that the code does not have, or plans what is there already, put it on the node with edit comment, and name the file and line. Change nothing else.`,
  },
  reviewer: {
    summary: "Review work that was handed in",
    text: (about) =>
      `Review the work on ${about || "the task that was handed in last"} (find attempts, show). Compare the change with what the task asks for. Say what is wrong with edit comment, with file and line. Change no file.`,
  },
  triage: {
    summary: "Prepare what waits for a person",
    text: (about) =>
      `List what waits for a person (find waiting)${about === "" ? "" : `, as far as it concerns ${about}`}. For each entry find the cause with why, and suggest an answer with its evidence. Decide nothing yourself.`,
  },
};

const ARGUMENTS = fromJsonSchema<{ readonly about?: string }>({
  type: "object",
  properties: { about: { type: "string", maxLength: 500, description: "a node, or what it is about" } },
});

export function registerPrompts(server: McpServer): void {
  for (const [role, { summary, text }] of Object.entries(ROLES)) {
    server.registerPrompt(role, { description: summary, argsSchema: ARGUMENTS }, ({ about = "" }) => ({
      messages: [{ role: "user", content: { type: "text", text: text(about) } }],
    }));
  }
}
