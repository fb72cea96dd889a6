import { expect, it } from "vitest";
import { finished, LAND, never } from "../../../test/finished-feature.js";
import { must } from "../../../test/plan.js";
import { fileTask, type Shop } from "../../../test/shop.js";
import { ok } from "../../model/result.js";
import { setLevel } from "../../plan/level/level.js";
import { landFeature } from "../landing/land.js";
import type { Announcer } from "./chores.js";
import { Chores } from "./chores.js";

const NOTHING = ok({ news: 0, told: Promise.resolve() });
const SILENT: Announcer = { announce: async () => NOTHING };

const refs = (shop: Shop): string =>
  shop.git("for-each-ref", "--format=%(refname)", "refs/heads/planwright", "refs/planwright/landing");

it("lands a feature that was finished after the round had looked for one", async () => {
  const shop = await finished([fileTask("one")]);
  let rounds = 0;
  const chores: Chores = new Chores(
    shop.services,
    {
      announce: async () => {
        if (++rounds === 1) {
          must(await setLevel(shop.plan, { level: "auto" }));
          void chores.turn();
        }
        return NOTHING;
      },
    },
    never,
  );
  expect(await chores.turn()).toBe(true);
  expect([rounds, (await shop.plan.view(LAND)).status]).toEqual([2, "done"]);
});

it("removes the refs that landings left because git was in trouble", async () => {
  const shop = await finished([fileTask("one")]);
  const branch = "refs/heads/planwright/feature/FEAT-A";
  const tip = shop.git("rev-parse", branch);
  const { attempt } = must(await landFeature(shop.person, "FEAT-A"));
  shop.git("update-ref", branch, tip);
  shop.git("update-ref", `refs/planwright/landing/${attempt}`, tip);
  await new Chores(shop.services, SILENT, never).turn();
  expect(refs(shop)).toBe("");
});
