// Draws docs/status.svg: what `planwright status` and `why` really say, as a terminal would show it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const BIN = resolve("dist/planwright.cjs");
const root = mkdtempSync(join(tmpdir(), "planwright-picture-"));
const COLOURS = { 31: "#f47067", 32: "#6bc46d", 33: "#c69026", 34: "#6cb6ff", 36: "#56d4dd" };
const LINE = 20;
const CHARACTER = 8.45;

function pw(args, input = "") {
  const env = { PATH: process.env.PATH, USER: "you", FORCE_COLOR: "1", COLUMNS: "92" };
  const child = spawnSync(process.execPath, [BIN, ...args], { cwd: root, env, input, encoding: "utf8" });
  return child.stdout;
}

const PLAN = [
  { id: "SIGN-IN", tier: "feature", title: "Sign in with a passkey" },
  { id: "STORE", tier: "story", title: "Keep credentials", parent: "SIGN-IN" },
  { id: "TABLE", title: "Table for credentials", parent: "STORE", checks: [{ run: "true" }] },
  { id: "VERIFY", title: "Verify a signature", parent: "STORE", dependsOn: ["TABLE"], checks: [{ run: "true" }] },
  { id: "ROTATE", title: "Rotate keys", parent: "STORE", dependsOn: ["TABLE"], checks: [{ run: "exit 1" }] },
  { id: "SCREEN", tier: "story", title: "Show the prompt", parent: "SIGN-IN" },
  { id: "PROMPT", title: "The prompt itself", parent: "SCREEN", dependsOn: ["VERIFY"], checks: [{ run: "true" }] },
  { id: "TEXTS", title: "Texts in six languages", parent: "SCREEN", checks: [{ run: "true" }] },
];

function screens() {
  pw(["init", "--mission", "A safe front door"]);
  pw(["add", "--from", "-"], PLAN.map((node) => JSON.stringify(node)).join("\n"));
  pw(["gate", "Legal agrees to the texts", "--on", "TEXTS"]);
  pw(["approve", "SIGN-IN", "--yes"]);
  for (const id of ["TABLE", "ROTATE"]) {
    pw(["start", id]);
    pw(["complete", id]);
  }
  pw(["start", "VERIFY", "--as", "agent:codex"]);
  return [
    ["planwright status SIGN-IN", pw(["status", "SIGN-IN"])],
    ["planwright why PROMPT", pw(["why", "PROMPT"])],
  ];
}

// oxlint-disable-next-line no-control-regex -- that is how a terminal is told a colour
const COLOUR = /(\u001b\[\d+m)/;

const escape = (text) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);

/** One line of terminal output as coloured spans. */
function spans(line) {
  let style = "";
  return line
    .split(COLOUR)
    .map((part) => {
      const code = /\[(\d+)m$/.exec(part)?.[1];
      if (!part.startsWith("\u001b")) return part === "" ? "" : `<tspan ${style}>${escape(part)}</tspan>`;
      if (code === "1") style = 'font-weight="bold"';
      else if (code === "2") style = 'opacity="0.6"';
      else style = COLOURS[code] ? `fill="${COLOURS[code]}"` : "";
      return "";
    })
    .join("");
}

const lines = screens().flatMap(([command, output]) => [
  `\u001b[36m$ ${command}\u001b[39m`,
  ...output.trimEnd().split("\n"),
  "",
]);
const width = Math.round(96 * CHARACTER);
const height = lines.length * LINE + 50;
const body = lines
  .map((line, i) => `<text x="18" y="${52 + i * LINE}" xml:space="preserve">${spans(line)}</text>`)
  .join("\n");
writeFileSync(
  "docs/status.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>planwright status and planwright why</title>
<rect width="100%" height="100%" rx="10" fill="#1c2128"/>
<circle cx="22" cy="20" r="6" fill="#f47067"/><circle cx="42" cy="20" r="6" fill="#c69026"/><circle cx="62" cy="20" r="6" fill="#6bc46d"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#d6dee6">
${body}
</g>
</svg>
`,
);
rmSync(root, { recursive: true, force: true });
console.log(`docs/status.svg: ${lines.length} lines.`);
