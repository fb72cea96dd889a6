import { homedir } from "node:os";
import { serviceUnit, writeUnit } from "../../engine/tick/service-unit.js";
import { parallel } from "../execution/engine-access.js";
import { commandWords } from "../kit/spell.js";
import { fields, flag, ok, optional, planVerb, step } from "../kit/verb.js";
import { actorOf, noProgram } from "./start.js";

export const input = fields({ parallel, print: optional(flag("show the unit and write nothing")) });

export const verb = planVerb({
  command: { words: "daemon install", group: "work" },
  summary: "Write a unit that starts the daemon with your login",
  description:
    "For systemd on Linux and launchd on macOS. It writes the file and shows what to type to enable it. It starts nothing by itself.",
  who: "person",
  effect: "writes",
  input,
  examples: [
    { input: {}, does: "writes the unit and shows how to enable it" },
    { input: { print: true }, does: "shows what it would write" },
  ],
  run: async (session, { print = false, ...asked }) => {
    const { root, env, program } = session;
    if (!program) return noProgram();
    const command = [...program, "-C", root, ...commandWords(step("daemon.run", asked))];
    const home = env["HOME"] ?? homedir();
    const { PATH: path = "", XDG_CONFIG_HOME: config } = env;
    const actor = actorOf(session);
    const unit = serviceUnit({ root, command, platform: process.platform, home, path, config, actor });
    if (!unit.ok) return unit;
    const written = print ? ok(undefined) : writeUnit(unit.value);
    return written.ok ? ok({ ...unit.value, written: !print }) : written;
  },
  text: ({ file, text, written }, style) => (written ? `${style.green("✓")} Wrote ${file}` : text.trimEnd()),
  note: ({ enable, disable, written }) =>
    written ? `Start it now and with every login:\n  ${enable}\nStop it for good:\n  ${disable}` : "",
});
