import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileTask, openShop } from "../../../test/shop.js";
import { Engine } from "../tick/engine.js";

it("what was made for an attempt that cannot be prepared is given back", async () => {
  const shop = await openShop([fileTask("one")], { policy: { setup: ["exit 1"] } });
  const tmp = join(shop.repository.around, "tmp");
  mkdirSync(tmp);
  const services = { ...shop.services, env: { ...process.env, TMPDIR: tmp } };
  await shop.workThrough(new Engine(services, { obeysLevels: false, workers: 1 }));
  expect((await shop.attempts())[0]).toMatchObject({ state: "failed", slot: 1 });
  expect(readdirSync(tmp)).toEqual([]);
});
