import { expect, it, vi } from "vitest";
import { stubGit } from "../../../test/broken-landing.js";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { landFeature } from "../landing/land.js";
import type { EngineServices } from "../services.js";
import { removeLeftovers } from "./reconcile.js";

const BRANCH = "refs/heads/planwright/feature/FEAT-A";

const branches = (shop: Shop): string => shop.git("for-each-ref", "--format=%(refname)", "refs/heads/planwright");

/** As a git leaves it that was killed after main had moved and before the branch went. */
async function landAndLeave(): Promise<{ shop: Shop; services: EngineServices; tip: string }> {
  const shop = await openShop([fileTask("one")]);
  await shop.workThrough();
  const services = { ...shop.services, context: shop.plan };
  const tip = shop.git("rev-parse", BRANCH);
  must(await landFeature(services, "FEAT-A"));
  shop.git("update-ref", BRANCH, tip);
  return { shop, services, tip };
}

it("the branch of a feature that has landed is taken away", async () => {
  const { shop, services } = await landAndLeave();
  await removeLeftovers(services);
  expect(branches(shop)).toBe("");
});

it("an engine stops although git cannot clean up, says so, and the next one cleans up", async () => {
  const { shop } = await landAndLeave();
  stubGit(shop, 'case " $* " in *" for-each-ref "*) exit 128;; esac');
  await shop.engine().stop();
  vi.unstubAllEnvs();
  expect(shop.events).toContainEqual({ type: "notice", text: expect.stringContaining("Cleaning up failed") });
  expect(branches(shop)).toBe(BRANCH);
  await shop.engine().stop();
  expect(branches(shop)).toBe("");
});

it("a landed branch stays while it holds what main does not", async () => {
  const { shop, services, tip } = await landAndLeave();
  const more = shop.git("commit-tree", `${tip}^{tree}`, "-p", tip, "-m", "more");
  shop.git("update-ref", BRANCH, more);
  await removeLeftovers(services);
  expect(shop.git("rev-parse", BRANCH)).toBe(more);
});

it("a landed branch stays while somebody has it checked out", async () => {
  const { shop, services } = await landAndLeave();
  shop.git("worktree", "add", "-q", `${shop.repository.around}/looking`, BRANCH.replace("refs/heads/", ""));
  await removeLeftovers(services);
  expect(branches(shop)).toBe(BRANCH);
});

it("a branch stays while its feature has not landed, though main holds all of it", async () => {
  const shop = await openShop([fileTask("one")]);
  await shop.workThrough();
  shop.git("merge", "-q", "--ff-only", BRANCH);
  await removeLeftovers({ ...shop.services, context: shop.plan });
  expect(branches(shop)).toBe(BRANCH);
});

it("a branch that is no feature's is left alone", async () => {
  const { shop, services } = await landAndLeave();
  for (const name of ["%", "%zz", "a%%0", "unknown"]) shop.git("update-ref", `${BRANCH}${name}`, "main");
  await removeLeftovers(services);
  expect(branches(shop).split("\n")).toHaveLength(4);
});
