import { daemonHere } from "../../config/actor.js";
import { type Daemon, startDaemon } from "../../engine/tick/background.js";
import { isPerson } from "../../model/actor.js";
import { readLevel } from "../../plan/level/level.js";
import { requireRepository } from "../../plan/repository/require-repository.js";
import { parallel, trustedExecutionOf, unsandboxed } from "../execution/engine-access.js";
import { commandWords } from "../kit/spell.js";
import { fields, ok, planVerb, type Result, refused, type Session, step } from "../kit/verb.js";
import { allowRunning } from "../safety/sandbox-here.js";

export const input = fields({ parallel, unsandboxed });

export const verb = planVerb({
  command: { words: "daemon start", group: "work" },
  summary: "Work on the plan in the background",
  effect: "runs",
  description: "Settles when the daemon works. If it cannot, it says why, and nothing stays behind.",
  quiet: true,
  input,
  examples: [{ input: {}, does: "works in the background from now on" }],
  run: async (session, asked) => {
    const execution = await trustedExecutionOf(session);
    if (!execution.ok) return execution;
    const allowed = await allowRunning(
      session,
      asked.unsandboxed,
      step("daemon.start", { ...asked, unsandboxed: true }),
    );
    if (!allowed.ok) return allowed;
    const repository = await requireRepository(session);
    if (!repository.ok) return repository;
    if (!session.program) return noProgram();
    const words = commandWords(step("daemon.run", asked));
    // A daemon is no person: it needs no secret, and its workers must not find one.
    const { PLANWRIGHT_SECRET: _, ...env } = session.env;
    const command = [...session.program, ...words] as const;
    const started = await startDaemon(session.root, command, { ...env, PLANWRIGHT_ACTOR: actorOf(session) });
    if (!started.ok) return started;
    const level = await readLevel(session);
    return level.ok ? ok({ ...started.value, level: level.value.level }) : level;
  },
  text: (daemon) => `The daemon is running: ${describeDaemon(daemon)}.`,
  note: ({ level }) => (level === "off" ? "The level is off, so it does nothing yet." : ""),
  next: ({ level }) => [level === "off" ? step("level", { level: "on" }) : step("daemon.logs")],
});

export const describeDaemon = ({ pid, startedAt, log }: Pick<Daemon, "pid" | "startedAt" | "log">): string =>
  `process ${pid}, since ${startedAt}, ${log === null ? "in a terminal" : `log ${log}`}`;

export const actorOf = ({ actor }: Session): string => (isPerson(actor) ? daemonHere() : actor);

export const noProgram = (): Result<never> =>
  refused("no-program", "This program cannot be started in the background from here.");
