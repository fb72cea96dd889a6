// Ten attempts that talk all the time, and a page that shows them: what the page, the board's server and the program that drives the
// attempts hold in memory, minute by minute.

import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { makePlan, makeRepository } from "./attempts.mjs";
import { launch, openPage, serve, settled } from "./board-rig.mjs";
import { round } from "./measure.mjs";
import { BIN, ENVIRONMENT } from "./product.mjs";

const ATTEMPTS = 10;
const LINES_PER_SECOND = 2;

const talking = (minutes) => (n) => {
  const lines = Math.ceil(minutes * 60 * LINES_PER_SECOND);
  const run = [
    "i=0",
    `while [ $i -lt ${lines} ]; do i=$((i+1)); echo "line $i of attempt ${n}: reads a file, edits another, runs a test"; sleep ${1 / LINES_PER_SECOND}; done`,
    `mkdir -p out; echo ${n} > out/${n}.txt`,
  ].join("\n");
  return {
    id: `TASK-${n}`,
    title: `Talk for ${minutes} minutes`,
    parent: `FEAT-${n}`,
    files: [`out/${n}.txt`],
    body: ["```sh run", run, "```"].join("\n"),
    checks: [{ run: `test -f out/${n}.txt` }],
  };
};

const residentMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

async function pageMb(client) {
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  return usedSize / 2 ** 20;
}

const pause = (ms) => new Promise((wake) => setTimeout(wake, ms));

/** Looks at Now, one attempt after the other, and the tree, as a person would. */
async function lookAround(page, origin, minute) {
  const places = ["/now", `/attempt/ATT-${String(1 + (minute % ATTEMPTS)).padStart(5, "0")}`, "/plan/tree", "/history"];
  await page.evaluate(
    (path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    },
    places[minute % places.length],
  );
  await settled(page);
}

export async function measureSoak({ minutes, report }) {
  const root = makeRepository({ proof: "off", attemptMinutes: minutes * 2 + 10 });
  makePlan(root, ATTEMPTS, talking(minutes + 1));
  const worker = spawn(process.execPath, [BIN, "run", "--batch", "--parallel", String(ATTEMPTS)], {
    cwd: root,
    env: ENVIRONMENT,
    stdio: "ignore",
  });
  const board = await serve(root);
  const browser = await launch();
  const samples = [];
  try {
    const { page, context } = await openPage(browser, board);
    await page.goto(board.origin);
    await settled(page);
    const client = await context.newCDPSession(page);
    for (let minute = 0; minute < minutes; minute++) {
      await lookAround(page, board.origin, minute);
      await pause(60_000);
      const sample = {
        minute: minute + 1,
        pageMb: round(await pageMb(client), 1),
        serverMb: round(residentMb(board.pid), 1),
        driverMb: round(residentMb(worker.pid), 1),
      };
      samples.push(sample);
      report(`soak ${JSON.stringify(sample)}`);
    }
  } finally {
    await browser.close();
    await board.stop();
    worker.kill("SIGTERM");
    await new Promise((done) => worker.once("exit", done));
    rmSync(root, { recursive: true, force: true });
  }
  return summaryOf(minutes, samples);
}

/** Growth: the last third against the third before it. */
function summaryOf(minutes, samples) {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const mean = (some, of) => some.reduce((sum, each) => sum + each[of], 0) / some.length;
  const growth = (of) => round(mean(samples.slice(-third), of) / mean(samples.slice(-2 * third, -third), of));
  return {
    minutes,
    attempts: ATTEMPTS,
    mostPageMb: Math.max(...samples.map((each) => each.pageMb)),
    mostServerMb: Math.max(...samples.map((each) => each.serverMb)),
    mostDriverMb: Math.max(...samples.map((each) => each.driverMb)),
    pageGrowth: growth("pageMb"),
    serverGrowth: growth("serverMb"),
    driverGrowth: growth("driverMb"),
    samples,
  };
}
