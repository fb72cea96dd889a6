// Installs the agents that are tested with, in exactly these versions, into a cache outside the repository, and runs the
// contract and whole planning runs over them: against a scripted model, without a network where the system allows it.
//
//   npm run test:agents [NAME ...]

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Without a version npm takes an older one that declares this Node; with it, a warning is all that differs. */
const AGENTS = {
  // The slowest first: two run at a time.
  gemini: ["@google/gemini-cli", "0.61.0"],
  opencode: ["opencode-ai", "1.18.33"],
  qwen: ["@qwen-code/qwen-code", "0.24.4"],
  claude: ["@anthropic-ai/claude-code", "2.1.325"],
  copilot: ["@github/copilot", "1.0.102"],
  codex: ["@openai/codex", "0.166.0"],
};

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "planwright-agents");
const INSTALL_MS = 600_000;

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(0)} s`;

/** Runs npm and answers with what went wrong, or nothing. */
function npm(args, cwd) {
  const child = spawn("npm", args, { cwd, stdio: ["ignore", "ignore", "pipe"], timeout: INSTALL_MS });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  return new Promise((done) => {
    child.on("error", ({ message }) => done(message));
    child.on("close", (code, signal) => {
      if (code === 0) return done("");
      // Warnings come first, and are many.
      const lines = stderr.split("\n").filter((line) => line.startsWith("npm error"));
      const said = lines.map((line) => line.replace(/^npm error\s*/, "")).filter((line) => line !== "");
      return done(said.slice(0, 3).join(" ").slice(0, 300) || `npm ended with ${signal ?? code}`);
    });
  });
}

/** Installed beside its place and then moved there, so that half an installation is never taken for a whole one. */
async function install(name, [pack, version]) {
  const folder = join(CACHE, `${name}-${version}`);
  const command = join(folder, "node_modules", ".bin", name);
  if (existsSync(command)) return { command };
  const started = Date.now();
  const building = `${folder}.${process.pid}`;
  mkdirSync(building, { recursive: true });
  writeFileSync(join(building, "package.json"), JSON.stringify({ private: true }));
  const args = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", building, `${pack}@${version}`];
  const wrong = await npm(args, building);
  if (wrong === "" && existsSync(join(building, "node_modules", ".bin", name))) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(building, folder);
    console.log(`${name} ${version}: installed in ${seconds(started)}`);
    return { command };
  }
  rmSync(building, { recursive: true, force: true });
  return { reason: `could not be installed: ${wrong || "its command is missing"}` };
}

/** A network of its own that has only the loopback interface; the first way that this system permits. */
function withoutNetwork() {
  const script = 'ip link set lo up && exec "$@"';
  const ways = [
    ["unshare", "-n", "--", "sh", "-c", script, "sh"],
    ["unshare", "-rn", "--", "sh", "-c", script, "sh"],
  ];
  return ways.find(([command, ...args]) => spawnSync(command, [...args, "true"]).status === 0) ?? [];
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in AGENTS));
if (unknown.length > 0) {
  console.error(`There is no agent ${unknown.join(", ")}. Known are ${Object.keys(AGENTS).join(", ")}.`);
  process.exit(5);
}

const names = Object.keys(AGENTS).filter((name) => chosen.length === 0 || chosen.includes(name));
const installed = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await install(name, AGENTS[name])])),
);
const missing = names.filter((name) => !installed[name].command);
const tellMissing = () => {
  for (const name of missing) console.error(`${name} is NOT tested: it ${installed[name].reason}`);
};
tellMissing();

const jail = withoutNetwork();
if (jail.length === 0) console.log("This system permits no network of one's own: the agents could reach the internet.");

const { bin } = JSON.parse(readFileSync("node_modules/vitest/package.json", "utf8"));
const vitest = join("node_modules/vitest", typeof bin === "string" ? bin : bin.vitest);
// Its contract, and planning with it.
const files = names.map((name) => `test/agents/${name}.`);
const [command, ...args] = [
  ...jail,
  process.execPath,
  vitest,
  "run",
  "--config",
  "scripts/agents.vitest.config.mjs",
  ...files,
];
const env = { ...process.env, PLANWRIGHT_AGENTS: JSON.stringify(installed) };
const started = Date.now();
const { status } = spawnSync(command, args, { stdio: "inherit", env });
console.log(`${names.length - missing.length} of ${names.length} agents tested in ${seconds(started)}.`);
tellMissing();
// Who names an agent wants to know about that one.
process.exit(status === 0 && chosen.some((name) => missing.includes(name)) ? 1 : (status ?? 1));
