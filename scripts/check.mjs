// `npm test`: everything that has to hold, in the order in which a mistake shows soonest. Tests that can depend on a sandbox run
// with bubblewrap and, where there is one, once more without it. It ends with the tests that were skipped, and why.
//
//   PLANWRIGHT_TEST_NEEDS=bubblewrap npm test    fails where bubblewrap does not work, so that a run in CI covers both surroundings

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hideCommands } from "./hide-command.mjs";
import { printSkipped, readSkipped } from "./skipped-tests.mjs";

const bwrap = spawnSync("bwrap", ["--dev-bind", "/", "/", "true"], { encoding: "utf8" });
const hasSandbox = bwrap.status === 0;
if (process.env.PLANWRIGHT_TEST_NEEDS === "bubblewrap" && !hasSandbox) {
  const said = bwrap.error?.message ?? bwrap.stderr.trim();
  console.error(
    `This run needs bubblewrap (PLANWRIGHT_TEST_NEEDS), and it does not work here: ${said}. Install it, and in a container allow user namespaces.`,
  );
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "planwright-check-"));
const times = [];

/** Settles with what it printed; prints it as it comes unless others run beside it. */
function start(command, { env = {}, beside = false } = {}) {
  const child = spawn(command, {
    shell: true,
    stdio: beside ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ...env },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += chunk));
  return new Promise((done) => child.on("close", (code) => done({ code: code ?? 1, printed })));
}

/** Runs commands beside each other, and ends the check at the first part that fails. */
async function part(name, commands, env = {}) {
  const begun = Date.now();
  console.log(`\n— ${name}`);
  const beside = commands.length > 1;
  const ended = await Promise.all(commands.map((command) => start(command, { env, beside })));
  for (const { printed } of ended) process.stdout.write(printed);
  times.push([name, Date.now() - begun]);
  if (ended.some(({ code }) => code !== 0)) end(1);
}

function end(code) {
  const skipped = readSkipped(skippedFile);
  rmSync(folder, { recursive: true, force: true });
  console.log("");
  for (const [name, ms] of times) console.log(`${String(Math.round(ms / 1000)).padStart(5)} s  ${name}`);
  printSkipped(skipped);
  process.exit(code);
}

const skippedFile = process.env.PLANWRIGHT_SKIPPED ?? join(folder, "skipped");
const shared = { PLANWRIGHT_SKIPPED: skippedFile };
const vitest = (...words) => [`npx vitest run ${words.join(" ")}`];

await part("format, lint, types, dead code, duplicates", [
  "npm run lint",
  "npm run types",
  "npm run dead",
  "npm run duplicates",
]);
await part("unit tests", vitest("--project unit", "--coverage"), shared);
await part("random and thorough tests", vitest("--project thorough", "--project random"), shared);

const use = join(folder, "sandbox-use");
const first = hasSandbox ? "red-team and end-to-end tests, with bubblewrap" : "red-team and end-to-end tests";
mkdirSync(use);
const printed = { PLANWRIGHT_PRINTED_COMMANDS: join(folder, "printed-commands") };
await part(first, vitest("--project red-team", "--project e2e"), {
  ...shared,
  ...printed,
  PLANWRIGHT_SANDBOX_USE: use,
});
await part("commands that were printed", vitest("--project unit", "test/printed-commands.test.ts"), {
  ...shared,
  ...printed,
});
if (hasSandbox) {
  // Of the end-to-end tests only the files that started bubblewrap: the program never looks for it without a trial start, so the
  // others behave the same without it. test/sandbox-use.setup.ts takes the notes, and src/machine/sandbox/sandbox.test.ts holds the rule.
  const files = readdirSync(join(use, "used")).map((name) => name.replaceAll("%", "/"));
  if (files.length === 0) {
    console.error("No end-to-end test left a note that it started bubblewrap, so none would run without it.");
    end(1);
  }
  const without = { ...shared, PATH: hideCommands(["bwrap"]), PLANWRIGHT_SURROUNDINGS: "without bubblewrap" };
  await part(
    "the same without bubblewrap",
    vitest("--project red-team", "--project e2e", "test/red-team/", ...files),
    without,
  );
}
await part("the board in a browser", vitest("--project browser"), shared);
end(0);
