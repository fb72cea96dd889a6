// The doors for agents, on a plan of 10,000 tasks: how long a hook keeps its host waiting beyond the start of Node, and how long the
// router takes to understand a sentence, asked through the library.

import { compare, median, round } from "./measure.mjs";
import { BIN, ENVIRONMENT, LIBRARY } from "./product.mjs";

const EVENTS = {
  prompt: { prompt: "expand FEAT-001" },
  tool: { tool_name: "Write", tool_input: { file_path: "src/a.ts" } },
  stop: { stop_hook_active: false },
  session: { source: "startup" },
  compact: { trigger: "auto" },
};

/** As a host starts it: through a shell, with its message on standard input. */
function hooksOn(root) {
  return Object.entries(EVENTS).map(([name, event]) => ({
    name: `hook ${name}`,
    file: "/bin/sh",
    args: ["-c", 'printf %s "$MESSAGE" | "$NODE" "$BIN" hook "$EVENT" --host claude'],
    cwd: root,
    env: {
      NODE: process.execPath,
      BIN,
      EVENT: name,
      MESSAGE: JSON.stringify({ session_id: "bench", cwd: root, ...event }),
      CLAUDECODE: "1",
      PLANWRIGHT_ACTOR: "",
    },
  }));
}

const SENTENCES = [
  "next",
  "expand FEAT-001",
  "let's expand FEAT-001 into stories",
  "where are we with FEAT-001",
  "please replan FEAT-001 because the API changed",
  "expand and replan FEAT-001",
  "don't freeze FEAT-001",
  "why is FEAT-001 not moving",
  "rebuild auth",
  "next steps are unclear",
];

const ROUNDS = 200;

async function measureRouter(root) {
  const { App } = await import(LIBRARY);
  const app = new App({ folder: root, env: ENVIRONMENT });
  const times = [];
  for (let i = 0; i < ROUNDS; i++) {
    for (const words of SENTENCES) {
      const started = performance.now();
      await app.call("route", { words });
      if (i > 0) times.push(performance.now() - started);
    }
  }
  await app.close();
  return { sentences: times.length, ms: round(median(times), 3) };
}

export async function measureDoors({ root, count }, { rounds = 15 } = {}) {
  const { floor, commands } = compare(hooksOn(root), { rounds });
  const hooks = commands.map(({ name, ms }) => ({ name, ms, beyondNodeMs: round(ms - floor.ms) }));
  return { tasks: count, nodeMs: floor.ms, hooks, router: await measureRouter(root) };
}
