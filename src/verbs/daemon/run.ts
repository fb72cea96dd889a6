import { messageOf } from "../../base/errors.js";
import { loadSettings } from "../../config/trust.js";
import type { EngineEvent } from "../../engine/services.js";
import { runDaemon } from "../../engine/tick/daemon.js";
import { parallel, trustedExecutionOf, unsandboxed, watched } from "../execution/engine-access.js";
import {
  fields,
  inLine,
  type LiveDisplay,
  ok,
  planVerb,
  plural,
  type Session,
  step,
  type Terminal,
} from "../kit/verb.js";
import { allowRunning } from "../safety/sandbox-here.js";

export const input = fields({ parallel, unsandboxed });

export const verb = planVerb({
  command: { words: "daemon", group: "work" },
  summary: "Work on the plan in this terminal until you stop it",
  description:
    "Starts tasks, retries them, asks questions and sends notifications, as far as the level allows. With the setting board.port it also serves the board. It does nothing in a workspace or feature whose level is off.",
  effect: "runs",
  quiet: true,
  long: true,
  input,
  examples: [{ input: {}, does: "works in this terminal until Ctrl-C" }],
  run: async (session, asked) => {
    const { parallel: workers } = asked;
    const execution = await trustedExecutionOf(session);
    if (!execution.ok) return execution;
    const allowed = await allowRunning(session, asked.unsandboxed, step("daemon.run", { ...asked, unsandboxed: true }));
    if (!allowed.ok) return allowed;
    const { notifications, contain } = execution.value;
    const options = { ...(workers !== undefined && { workers }), signal: session.signal };
    const board = serveBoardToo(session);
    const served = await contain(() => runDaemon(watched(session, execution.value), notifications, options));
    await board;
    return served.ok ? ok({ attempts: served.value }) : served;
  },
  live: daemonLines,
  text: ({ attempts }) => `Stopped after ${plural(attempts.length, "attempt")}.`,
});

/** The setting `board.port` asks for it. If it cannot be served, the daemon works on. */
async function serveBoardToo(session: Session): Promise<void> {
  const { root, env, signal, serveBoard } = session;
  const { port } = loadSettings(root, env).board;
  if (port === null || serveBoard === undefined) return;
  const notice = (text: string): void => session.emit({ kind: "engine", event: { type: "notice", text } });
  notice(`The board is on port ${port} of this machine. The command board opens it.`);
  await serveBoard(port, signal).catch((error: unknown) =>
    notice(`The board cannot be served on port ${port}: ${messageOf(error)}`),
  );
}

/** One line when an attempt reaches another state, and one when it has ended. */
function daemonLines(terminal: Terminal): LiveDisplay {
  const states = new Map<string, string>();
  const lineOf = (event: EngineEvent): string | undefined => {
    if (event.type === "notice") return inLine(event.text);
    if (event.type === "end") {
      states.delete(event.attempt);
      return `${event.task} ${event.attempt} ${event.state}: ${inLine(event.note)}`;
    }
    if (event.type !== "state" || states.get(event.attempt) === event.state) return undefined;
    states.set(event.attempt, event.state);
    return `${event.task} ${event.attempt} ${event.state}`;
  };
  return {
    onEvent: (event) => {
      if (event.kind !== "engine") return;
      if (event.event.type === "bell") terminal.progress("\u0007");
      const line = lineOf(event.event);
      if (line !== undefined) terminal.progress(`${new Date().toISOString()} ${line}\n`);
    },
    close: () => undefined,
  };
}
