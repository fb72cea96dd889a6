import { readLevel } from "../../../actions/level/level.js";
import { ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Daemon } from "../../../execution/engine/background.js";
import type { EngineEvent } from "../../../execution/engine/services.js";
import type { Workshop } from "../../../execution/engine/workshop.js";
import type { Answer, App, Command, Input } from "../command.js";
import { followed, openLog } from "../daemon-log.js";
import { inLine } from "../render-planning.js";

const DEEDS = ["start", "stop", "status", "logs"] as const;
type Deed = (typeof DEEDS)[number];

export const daemon: Command = {
  name: "daemon",
  group: "working",
  summary: "Carry out what is approved, all the time, as far as the level allows",
  description:
    "Without a word it runs here until Ctrl-C. `start` puts it into the background, `stop` asks it to give back what it works on and to end, `status` says whether it runs, `logs` what it did. It does nothing in a workspace or a feature whose level is off: `planwright level on` is a person's to say.",
  arguments: [{ name: "DEED", help: "start, stop, status or logs; left out, it runs here", optional: true }],
  flags: {
    parallel: { type: "number", value: "N", min: 1, max: 16, whole: true, help: "so many workers at once" },
    follow: { type: "boolean", short: "f", help: "of logs: go on as it writes" },
    lines: {
      type: "number",
      value: "N",
      min: 1,
      max: 100_000,
      whole: true,
      help: "of logs: the last N lines (default 50)",
    },
  },
  examples: [
    { run: "planwright daemon start", does: "works in the background from now on" },
    { run: "planwright daemon logs -f", does: "shows what it does" },
  ],
  run: async (input, app) => {
    const [deed] = input.args;
    const workshop = (await app.engines()).workshop();
    if (!workshop.ok) return workshop;
    if (deed === undefined) return serveHere(workshop.value, input, app);
    const found = DEEDS.find((each) => each === deed);
    if (found === undefined) {
      return usage("usage", `"${deed}" is nothing that a daemon does.`, {
        hint: "`planwright daemon start|stop|status|logs`",
      });
    }
    return DO[found](workshop.value, input, app);
  },
};

type Do = (workshop: Workshop, input: Input, app: App) => Promise<Result<Answer>>;

/** What the log says of each event: one line when an attempt comes to another state, and one when it has ended. */
function teller(): (event: EngineEvent) => string | undefined {
  const states = new Map<string, string>();
  return (event) => {
    const at = new Date().toISOString();
    if (event.type === "notice") return `${at} ${inLine(event.text)}`;
    if (event.type === "end") {
      states.delete(event.attempt);
      return `${at} ${event.task} ${event.attempt} ${event.state}: ${inLine(event.note)}`;
    }
    if (event.type !== "state" || states.get(event.attempt) === event.state) return undefined;
    states.set(event.attempt, event.state);
    return `${at} ${event.task} ${event.attempt} ${event.state}`;
  };
}

const serveHere: Do = async (workshop, input, app) => {
  const workers = input.number("parallel");
  const tell = teller();
  const ended: Extract<EngineEvent, { type: "end" }>[] = [];
  const served = await workshop.serve({
    ...(workers === undefined ? {} : { workers }),
    signal: app.interrupted(),
    ring: () => app.progress("\u0007"),
    onEvent: (event) => {
      if (event.type === "end") ended.push(event);
      const line = tell(event);
      if (line !== undefined && !input.json) app.progress(`${line}\n`);
    },
  });
  if (!served.ok) return served;
  const attempts = ended.map(({ attempt, task, state, note }) => ({ attempt, task, state, note }));
  return ok({ data: { attempts }, text: () => `Stopped after ${ended.length} attempts.` });
};

const describe = ({ pid, startedAt, log }: Daemon): string =>
  `process ${pid}, since ${startedAt}, ${log === null ? "at a terminal" : `log ${log}`}`;

const DO: Readonly<Record<Deed, Do>> = {
  start: async ({ background }, input, app) => {
    const workers = input.number("parallel");
    const words = ["daemon", ...(workers === undefined ? [] : ["--parallel", String(workers)])];
    const started = background.start(words);
    if (!started.ok) return started;
    const level = await readLevel(await app.open());
    return ok({
      data: started.value,
      text: () => `A daemon works here now: ${describe(started.value)}.`,
      note: () =>
        level.ok && level.value.level === "off"
          ? "The level is off, so it does nothing yet: planwright level on."
          : "`planwright daemon logs -f` shows what it does.",
    });
  },
  stop: async ({ background }) => {
    const stopped = await background.stop();
    if (!stopped.ok) return stopped;
    return ok({ data: stopped.value, text: () => `The daemon has ended (process ${stopped.value.pid}).` });
  },
  status: async ({ background }) => {
    const found = background.find();
    return ok({
      data: found ?? null,
      text: () => (found ? `A daemon works here: ${describe(found)}.` : "No daemon works here."),
      note: () => (found ? "" : "`planwright daemon start` starts one."),
      exit: found ? 0 : 2,
    });
  },
  logs: async ({ background }, input, app) => {
    const lines = input.number("lines") ?? 50;
    const log = openLog(background.log);
    if (!log.ok) return log;
    const last = log.value
      .rest()
      .split("\n")
      .slice(-lines - 1)
      .join("\n");
    if (!input.has("follow")) {
      log.value.close();
      return ok({ data: { log: background.log, lines: last.trimEnd().split("\n") }, text: () => last.trimEnd() });
    }
    app.print(last);
    await followed(background.log, () => app.print(log.value.rest()), app.interrupted());
    log.value.close();
    return ok({ data: { log: background.log }, text: () => "" });
  },
};
