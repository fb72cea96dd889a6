// The text of a unit that keeps a daemon running after a restart of the machine: for systemd, or for launchd on macOS.

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { ok, type Result, refused, type ValueOf } from "../../model/result.js";
import { logFile } from "./background.js";

export interface ServiceInput {
  readonly root: string;
  /** This program, with the words that make it a daemon. */
  readonly command: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly actor: string;
  /** Agents are looked for in it. */
  readonly path: string;
  readonly config?: string | undefined;
}

/** `enable`: what to type to start it now and with every login. `disable` takes it away again. */
export function serviceUnit(input: ServiceInput) {
  const { root, platform, home, config = join(home, ".config") } = input;
  const mark = createHash("sha256").update(root).digest("hex").slice(0, 8);
  const name = `planwright-${basename(root).replace(/[^\w.-]/g, "_")}-${mark}`;
  if (platform === "linux") {
    const file = join(config, "systemd", "user", `${name}.service`);
    const [enable, disable] = [`systemctl --user enable --now ${name}`, `systemctl --user disable --now ${name}`];
    return ok({ kind: "systemd", name, file, text: systemdText(input), enable, disable });
  }
  if (platform === "darwin") {
    const file = join(home, "Library", "LaunchAgents", `${name}.plist`);
    const [enable, disable] = [`launchctl load -w "${file}"`, `launchctl unload -w "${file}"`];
    return ok({ kind: "launchd", name, file, text: launchdText(name, input), enable, disable });
  }
  const message = `There is no unit for ${platform}: only for systemd and launchd. Start the daemon by hand.`;
  return refused("no-service-manager", message);
}

export function writeUnit(unit: ValueOf<ReturnType<typeof serviceUnit>>): Result<void> {
  try {
    mkdirSync(dirname(unit.file), { recursive: true });
    writeFileSync(unit.file, unit.text);
    return ok(undefined);
  } catch (error) {
    return refused("no-write", `${unit.file} cannot be written: ${messageOf(error)}.`);
  }
}

/** In double quotes, with the signs that systemd gives a meaning taken literally. */
const systemdWord = (word: string): string =>
  `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$")}"`;

/** In a setting other than a command, `$` has no meaning. */
const systemdValue = (text: string): string => `"${text.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;

const systemdText = ({ root, command, path, actor }: ServiceInput): string =>
  [
    "[Unit]",
    `Description=Planwright in ${root.replaceAll("%", "%%")}`,
    "",
    "[Service]",
    `ExecStart=${command.map(systemdWord).join(" ")}`,
    `WorkingDirectory=${root.replaceAll("%", "%%")}`,
    `Environment=${systemdValue(`PATH=${path}`)} ${systemdValue(`PLANWRIGHT_ACTOR=${actor}`)}`,
    `StandardOutput=append:${logFile(root).replaceAll("%", "%%")}`,
    `StandardError=append:${logFile(root).replaceAll("%", "%%")}`,
    "Restart=on-failure",
    "RestartSec=10",
    "# It gives unfinished tasks back before it stops.",
    "TimeoutStopSec=90",
    "KillMode=mixed",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");

const xml = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const launchdText = (name: string, { root, command, path, actor }: ServiceInput): string =>
  [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">`,
    `<plist version="1.0">`,
    "<dict>",
    `  <key>Label</key><string>${xml(name)}</string>`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...command.map((word) => `    <string>${xml(word)}</string>`),
    "  </array>",
    `  <key>WorkingDirectory</key><string>${xml(root)}</string>`,
    "  <key>EnvironmentVariables</key>",
    "  <dict>",
    `    <key>PATH</key><string>${xml(path)}</string>`,
    `    <key>PLANWRIGHT_ACTOR</key><string>${xml(actor)}</string>`,
    "  </dict>",
    `  <key>StandardOutPath</key><string>${xml(logFile(root))}</string>`,
    `  <key>StandardErrorPath</key><string>${xml(logFile(root))}</string>`,
    "  <key>RunAtLoad</key><true/>",
    "  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>",
    "  <key>ExitTimeOut</key><integer>90</integer>",
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
