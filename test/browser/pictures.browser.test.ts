// Makes the pictures of docs/board.md, only when asked to: npm run pictures

import { expect, it, onTestFinished } from "vitest";
import { launch, openPage } from "./chromium.js";
import { Served } from "./served.js";
import { seedShop } from "./shop-plan.js";

const PICTURES: readonly (readonly [name: string, path: string])[] = [
  ["now", "/now"],
  ["tree", "/plan/tree/TASK-00017"],
  ["graph", "/plan/graph"],
  ["planning", "/planning"],
  ["history", "/history/81"],
];

it.runIf(process.env["PLANWRIGHT_PICTURES"] === "1")("makes the pictures of the documents", async () => {
  const shop = new Served();
  const browser = await launch();
  onTestFinished(async () => {
    await browser.close();
    await shop.stop();
    shop.remove();
  });
  seedShop(shop);
  const view = await openPage(browser, await shop.serve(), { width: 1340, height: 860 });
  for (const [name, path] of PICTURES) {
    await view.visit(path);
    await view.page.screenshot({ path: `docs/pictures/board-${name}.png`, animations: "disabled" });
  }
  expect(view.trouble).toEqual([]);
});
