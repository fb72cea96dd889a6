import { once } from "node:events";
import { closeSync, fstatSync, readSync, watch } from "node:fs";
import { openWithoutWaiting, readPlainFile } from "../../base/plain-file.js";
import { logFile } from "../../engine/tick/background.js";
import { absent, fields, ok, optional, planVerb, type Result, step, type Terminal, wholeNumber } from "../kit/verb.js";

const DEFAULT_LINES = 50;

export const input = fields({ lines: optional(wholeNumber(`the last N lines (${DEFAULT_LINES})`, 1, 100_000)) });

export const verb = planVerb({
  command: { words: "daemon logs", group: "work", short: { f: "follow" } },
  summary: "Show what the daemon did",
  effect: "reads",
  input,
  examples: [{ input: { lines: 200 }, does: "shows the last 200 lines of its log" }],
  run: async (session, { lines = DEFAULT_LINES }) => {
    const log = logFile(session.root);
    try {
      const all = readPlainFile(log).trimEnd().split("\n");
      return ok({ log, lines: all.slice(-lines) });
    } catch {
      return absent("no-log", "No daemon has written a log here yet.", { next: [step("daemon.start")] });
    }
  },
  flags: { follow: "keep printing what it writes, until Ctrl-C" },
  text: ({ lines: last }) => last,
  after: async ({ log }, { given, terminal }) =>
    given.has("follow") && !terminal.json ? follow(log, terminal) : ok(undefined),
});

async function follow(path: string, terminal: Terminal): Promise<Result<void>> {
  const log = openLog(path);
  const signal = terminal.interrupted();
  const watcher = watch(path, () => terminal.print(log.rest()));
  if (!signal.aborted) await once(signal, "abort");
  watcher.close();
  log.close();
  return ok(undefined);
}

/** Reads from the end of the log unless you ask for its start. */
export function openLog(path: string, from: "start" | "end" = "end") {
  const file = openWithoutWaiting(path);
  let at = from === "start" ? 0 : fstatSync(file).size;
  return {
    rest: () => {
      const { size } = fstatSync(file);
      // It was cut: what is there now is new.
      if (size < at) at = 0;
      const bytes = Buffer.alloc(size - at);
      at += readSync(file, bytes, 0, bytes.length, at);
      return bytes.toString("utf8");
    },
    close: () => closeSync(file),
  };
}
