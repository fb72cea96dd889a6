// Makes the pictures of docs/board.md, only when asked to: npm run pictures

import { expect, it, onTestFinished } from "vitest";
import { launch, openPage, settled } from "./chromium.js";
import { Served } from "./served.js";
import { seedShop } from "./shop-plan.js";

const PICTURES: readonly (readonly [name: string, path: string, shows: string])[] = [
  ["now", "/now", ".card .body fieldset"],
  ["tree", "/plan/tree/TASK-00017", ".panel .trace"],
  ["graph", "/plan/graph", ".graph canvas"],
  ["planning", "/planning", ".draft .task"],
  ["history", "/history/81", ".hist .then"],
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
  for (const [name, path, shows] of PICTURES) {
    await view.visit(path);
    await view.page.locator(shows).first().waitFor();
    await settled(view.page);
    await view.page.screenshot({ path: `docs/pictures/board-${name}.png`, animations: "disabled" });
  }
  expect(view.trouble).toEqual([]);
});
