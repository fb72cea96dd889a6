// The board in a real Chromium on large plans: first paint, moves between views, one changed row, long tasks, panning, past moments,
// and what reads the whole of a very large plan.

import { rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { askInPage, launch, openPage, serve, settled } from "./board-rig.mjs";
import { featureId, makePlan, taskId } from "./generate.mjs";
import { cpuSeconds, median, round } from "./measure.mjs";
import { ENVIRONMENT, LIBRARY, planwright, scratch } from "./product.mjs";

const percentile = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

/** More operations on the plan, of a person who sets priorities. */
async function addOperations(root, tasks, count) {
  const { openWorkspace } = await import(LIBRARY);
  const app = await openWorkspace(root, { actor: "human:bench", env: ENVIRONMENT });
  for (let i = 0; i < count; i++) {
    const done = await app.call("edit", {
      reference: taskId(1 + ((i * 7919) % tasks)),
      // Each time another one: an edit that changes nothing is no operation.
      priority: (Math.floor(i / tasks) + i) % 5,
    });
    if (!done.ok) throw new Error(done.error.message);
  }
  await app.close();
}

/** From nothing to the first rows of the tree, with the script that this loads. */
async function measureFirstPaint(browser, board) {
  const { page } = await openPage(browser, board);
  const scripts = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts.push(response.body().then((body) => gzipSync(body).length));
  });
  const began = performance.now();
  await page.goto(`${board.origin}/plan/tree`);
  await page.locator("[role=row].node:not(.blank)").first().waitFor();
  const firstPaintMs = Math.round(performance.now() - began);
  await settled(page);
  const scriptKb = round((await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0) / 1000, 1);
  const { longTasks } = await page.evaluate(() => window.bench);
  return { page, firstPaintMs, scriptKb, loadLongestTaskMs: Math.round(Math.max(0, ...longTasks)) };
}

/** The page that opens by itself. */
async function measureNow(browser, board) {
  const { page, context } = await openPage(browser, board);
  const began = performance.now();
  await page.goto(`${board.origin}/now`);
  await settled(page);
  const nowMs = Math.round(performance.now() - began);
  await context.close();
  return { nowMs };
}

const VIEWS = ["1", "2", "3", "4", "5", "6"];

/** The second time round: what a view loads when it is opened first is there. */
async function measureViews(page) {
  const times = [];
  for (let round = 0; round < 3; round++) {
    for (const key of VIEWS) {
      const before = await page.locator("h1").first().textContent();
      const began = performance.now();
      await page.keyboard.press(key);
      await page.waitForFunction((old) => document.querySelector("main h1")?.textContent !== old, before);
      if (round > 0) times.push(performance.now() - began);
      await settled(page);
    }
  }
  return { betweenViewsMs: Math.round(median(times)), slowestViewMs: Math.round(Math.max(...times)) };
}

/** One task is frozen and thawed by another process while its row is on the screen. */
async function measureOneRow(page, root) {
  await page.keyboard.press("2");
  await settled(page);
  const feature = page.locator("[role=row].node", { hasText: featureId(1) }).first();
  await feature.locator(".twist").click();
  const row = page.locator(`#row-${taskId(3)}`);
  await row.waitFor();
  await settled(page);
  const patches = [];
  const rows = new Set();
  for (let i = 0; i < 6; i++) {
    const was = await row.getAttribute("class");
    planwright(root, i % 2 === 0 ? ["freeze", taskId(3), "--reason", "measured"] : ["thaw", taskId(3)]);
    await page.waitForFunction(
      ([id, old]) => document.getElementById(id)?.className !== old,
      [`row-${taskId(3)}`, was],
    );
    const changes = await page.evaluate(() => window.bench.changes);
    const own = changes.find(({ id }) => id === `row-${taskId(3)}`);
    if (own && i > 0) patches.push(own.after);
    if (i > 0) for (const { id } of changes) rows.add(id);
  }
  return { rowPatchMs: round(median(patches), 1), rowsPatched: rows.size };
}

/** How often the screen is drawn while the graph is dragged about. */
async function measurePanning(page) {
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  const canvas = page.locator("canvas").first();
  await canvas.waitFor();
  await settled(page);
  const { x, y, width, height } = await canvas.boundingBox();
  await page.evaluate(() => {
    window.bench.frames = [];
    let last = performance.now();
    const tick = (now) => {
      window.bench.frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (let i = 0; i < 120; i++)
    await page.mouse.move(x + width / 2 + 200 * Math.sin(i / 9), y + height / 2 + 120 * Math.cos(i / 7));
  await page.mouse.up();
  const frames = await page.evaluate(() => window.bench.frames);
  return { panFrameP95Ms: round(percentile(frames, 0.95), 1), frames: frames.length };
}

/** Looks at moments all over the log, as the page asks for them. */
async function measurePast(page, { moments = 24, latest }) {
  // The server keeps its states when it has been up for a while.
  await page.waitForTimeout(20_000);
  const times = [];
  for (let i = 0; i < moments; i++) {
    const at = 1 + ((i * 7919 * 13) % latest);
    times.push(await page.evaluate(askInPage, { path: `/api/operations/status?at=${at}`, input: { most: 100 } }));
  }
  return { pastMedianMs: Math.round(median(times)), pastP95Ms: Math.round(percentile(times, 0.95)) };
}

/** Goes to the end of the tree, to a task in the middle, and filters. */
async function measureLargeTree(browser, board, tasks) {
  const { page, firstPaintMs, loadLongestTaskMs } = await measureFirstPaint(browser, board);
  const rows = () => page.locator("[role=row].node").count();
  const most = [await rows()];
  const timed = async (job, found) => {
    const began = performance.now();
    await job();
    await found.waitFor();
    most.push(await rows());
    return Math.round(performance.now() - began);
  };
  const last = featureId(Math.ceil(tasks / 100));
  await page.locator("[role=treegrid]").focus();
  const endMs = await timed(() => page.keyboard.press("End"), page.locator(`#row-${last}`));
  const openMs = await timed(
    () => page.locator(`#row-${last} .twist`).click(),
    page.locator(`#row-${taskId(tasks - 99)}`),
  );
  const filterMs = await timed(
    () => page.getByLabel("Filter the plan").fill(`status:ready ${taskId(tasks >> 1).slice(0, -2)}`),
    page.locator("[role=row].task").first(),
  );
  const search = { path: "/api/operations/search", input: { text: `part ${tasks >> 1}` } };
  const searchMs = Math.round(await page.evaluate(askInPage, search));
  await page.getByLabel("Filter the plan").fill("");
  await page.locator("h1").first().click();
  const views = { ...(await measureNow(browser, board)), ...(await measureViews(page)) };
  const tree = { firstPaintMs, loadLongestTaskMs, endMs, openMs, filterMs, searchMs, mostRows: Math.max(...most) };
  return { tasks, ...tree, ...views };
}

const commandsOf = (root, tasks) => ({
  statusCpuSeconds: cpuSeconds(root, ["status"]),
  statsCpuSeconds: cpuSeconds(root, ["stats"]),
  wavesCpuSeconds: cpuSeconds(root, ["waves"]),
  searchCpuSeconds: cpuSeconds(root, ["search", `part ${tasks >> 1}`]),
});

async function onBoard(root, browser, job) {
  const board = await serve(root);
  try {
    return await job(board);
  } finally {
    await board.stop();
  }
}

export async function measureBoard({ tasks, operations, large, report }) {
  const browser = await launch();
  try {
    report(`board: a plan of ${tasks} tasks with ${operations} operations`);
    const plan = await makePlan(scratch, tasks);
    await addOperations(plan.root, tasks, operations);
    const ofPlan = await onBoard(plan.root, browser, async (board) => {
      const { page, ...first } = await measureFirstPaint(browser, board);
      const now = await measureNow(browser, board);
      const views = await measureViews(page);
      await page.evaluate(() => (window.bench.longTasks = []));
      const oneRow = await measureOneRow(page, plan.root);
      const past = await measurePast(page, { latest: operations });
      const panning = await measurePanning(page);
      const { longTasks } = await page.evaluate(() => window.bench);
      return {
        ...first,
        ...now,
        ...views,
        ...oneRow,
        ...panning,
        ...past,
        longestTaskMs: Math.round(Math.max(0, ...longTasks)),
      };
    });
    rmSync(plan.root, { recursive: true, force: true });
    report(`board: a plan of ${large} tasks`);
    const huge = await makePlan(scratch, large);
    const ofHuge = await onBoard(huge.root, browser, (board) => measureLargeTree(browser, board, large));
    const commands = commandsOf(huge.root, large);
    rmSync(huge.root, { recursive: true, force: true });
    return { tasks, operations, ...ofPlan, large: { ...ofHuge, ...commands } };
  } finally {
    await browser.close();
  }
}
