// What each MCP tool is for. Which verbs a tool asks for, each verb says itself (`tools`).

/** One or two sentences: every client sends them to its model with each request. */
export const TOOL_DESCRIPTIONS = {
  find: "Read the plan. Pass `from` for the next page.",
  show: "Show a node, or an item by its key (RUN-001, ESC-001).",
  why: "Explain why a node, run or question does not move, and what to do.",
  do: 'Do what plain words ask for, such as "what\'s next?". Never guesses.',
  add: "Add a node, or many at once with `nodes` (same fields each). Checks are shell commands.",
  edit: "Change the plan. `undo` takes back your last operation.",
  claim: "Claim work: `next` gives the most urgent task, `start` one you name. `context` gives all about a task.",
  complete: "Hand in a task you claimed: its checks decide. If one fails you keep the claim.",
  give_up:
    "Return a task you claimed: `release` to the queue, `fail` with a reason, or propose to `split` it into `parts` (title, body, files, checks, after).",
  record: "Write down a decision, a rule, an assumption or a lesson.",
  news: "Read what happened since you last looked, or subscribe to a node or to everything.",
  plan: "Turn an idea, the text of a spec or a node into a reviewed plan. A person approves it. `host` starts it with your own subagents: each reads its `step` and submits.",
  run: "Let workers do approved tasks, as the level allows.",
  decide:
    "What a person decides: you propose it and the person is asked. `land` with dryRun and a lower `level` need no person.",
} as const;
