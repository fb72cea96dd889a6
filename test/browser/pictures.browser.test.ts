// Makes the pictures of README.md and docs/board.md from the demo's board, only when asked to: npm run pictures

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { needs } from "../needs.js";
import { launch, openPage, settled } from "./chromium.js";
import type { Opening } from "./served.js";

/** What has to be there before a picture is taken, and what is picked before that. */
const PICTURES: readonly (readonly [name: string, path: string, shows: string, pick?: string])[] = [
  ["now", "/now", ".card .body fieldset"],
  ["tree", "/plan/tree/TASK-00024", ".panel .trace"],
  ["graph", "/plan/graph", ".graph canvas"],
  ["planning", "/planning", ".draft .task"],
  ["history", "/history", ".hist .then", ": waiting for the speakers"],
];

/** What a program prints once its board is open. */
function openingOf(demo: ChildProcess): Promise<Opening> {
  let printed = "";
  return new Promise((resolve, reject) => {
    demo.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const [, address, code] = /^(http:\/\/127\.0\.0\.1:\S+)\nCode: (\S+)$/m.exec(printed) ?? [];
      if (address !== undefined && code !== undefined) resolve({ address, code });
    });
    demo.once("exit", (code) => reject(new Error(`The demo exited with ${code}: ${printed}`)));
  });
}

it(
  "makes the pictures of the documents",
  needs(process.env["PLANWRIGHT_PICTURES"] === "1", "npm run pictures makes them"),
  async () => {
    const tmp = mkdtempSync(join(tmpdir(), "planwright-pictures-"));
    const demo = spawn(process.execPath, ["scripts/demo.mjs", "--board", "--no-open"], {
      env: { ...process.env, TMPDIR: tmp, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(demo, "exit");
    const browser = await launch();
    onTestFinished(async () => {
      demo.kill("SIGTERM");
      await ended;
      await browser.close();
      rmSync(tmp, { recursive: true, force: true });
    });
    const view = await openPage(browser, await openingOf(demo), { width: 1340, height: 860 });
    for (const [name, path, shows, pick] of PICTURES) {
      await view.visit(path);
      if (pick !== undefined) await view.page.locator(".hist").getByText(pick).first().click();
      await view.page.locator(shows).first().waitFor();
      await settled(view.page);
      await view.page.screenshot({ path: `docs/pictures/board-${name}.png`, animations: "disabled" });
    }
    expect(view.trouble).toEqual([]);
    demo.kill("SIGINT");
    expect([(await ended)[0], readdirSync(tmp)]).toEqual([0, []]);
  },
);
