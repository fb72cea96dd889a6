// Shows the news on the desktop, with what the system has for that. Every text is an argument or a variable of its own:
// a title is never read as a script.

import { findCommand } from "../process/find.js";
import { type ProgramSettings, runNotifier } from "./command.js";
import { type Announcement, sentenceOf } from "./message.js";

const SHOWN = 5;
const TIME_MS = 10_000;

interface Desktop {
  readonly command: string;
  readonly args: (title: string, body: string) => readonly string[];
}

/** Some desktops read markup in the body. */
const plain = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const BALLOON = [
  "Add-Type -AssemblyName System.Windows.Forms;",
  "$icon = New-Object System.Windows.Forms.NotifyIcon;",
  "$icon.Icon = [System.Drawing.SystemIcons]::Information;",
  "$icon.Visible = $true;",
  "$icon.ShowBalloonTip(5000, $env:PLANWRIGHT_TITLE, $env:PLANWRIGHT_BODY, 'Info');",
  "Start-Sleep -Seconds 5; $icon.Dispose()",
].join(" ");

const DESKTOPS: readonly Desktop[] = [
  { command: "notify-send", args: (title, body) => ["--app-name=planwright", "--", title, plain(body)] },
  {
    command: "osascript",
    args: (title, body) => [
      "-e",
      "on run argv",
      "-e",
      "display notification (item 2 of argv) with title (item 1 of argv)",
      "-e",
      "end run",
      title,
      body,
    ],
  },
  { command: "powershell.exe", args: () => ["-NoProfile", "-NonInteractive", "-Command", BALLOON] },
];

export async function notifyDesktop({ news }: Announcement, { env, cwd }: ProgramSettings): Promise<void> {
  const rest = news.length - SHOWN;
  const lines = [...news.slice(0, SHOWN).map(sentenceOf), ...(rest > 0 ? [`and ${rest} more`] : [])];
  const title = news.length === 1 ? "Planwright" : `Planwright: ${news.length} news`;
  const body = lines.join("\n");
  for (const { command, args } of DESKTOPS) {
    const file = findCommand(command, env["PATH"], cwd);
    if (file === undefined) continue;
    const variables = { PLANWRIGHT_TITLE: title, PLANWRIGHT_BODY: body };
    return runNotifier(file, args(title, body), { cwd, env: { ...env, ...variables } }, "", TIME_MS);
  }
  throw new Error(`None of ${DESKTOPS.map(({ command }) => command).join(", ")} is installed.`);
}
