import { expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

function makeFeature(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--yes", "--feature", "Auth flow"]);
  return rig;
}

const featureOf = (rig: Rig): string =>
  rig.ok(["list", "--tier", "feature"]).nodes.find(({ title }: { title: string }) => title === "Auth flow").id;

it("runs what words mean as if the command had been typed", () => {
  const rig = makeFeature();
  const id = featureOf(rig);
  const paused = rig.run(["pause", "the", "auth", "flow", "because", "the", "API", "is", "down"]);
  expect(paused).toMatchObject({ code: 0 });
  expect(paused.stderr).toContain(`planwright freeze ${id} --reason "the API is down"`);
  expect(rig.ok(["show", id]).status).toBe("frozen");
  expect(rig.run(["do", "unblock auth-flow"]).code).toBe(0);
  expect(rig.ok(["show", id]).status).toBe("planned");
  expect(rig.ok(["where", "are", "we"])).toEqual(rig.ok(["status"]));
  expect(rig.ok(["do", "status of auth flow"])).toEqual(rig.ok(["status", id]));
});

it("runs nothing that it only understood and that does more than one undo takes back", () => {
  const rig = makeFeature();
  const id = featureOf(rig);
  const before = rig.ok(["log"]);
  expect(rig.fails(["wrap", "up", "auth", "flow"])).toMatchObject({ code: 3, reason: "needs-yes" });
  expect(rig.fails(["do", `rework ${id}`])).toMatchObject({ code: 3, details: { words: ["replan", id] } });
  expect(rig.fails(["do", "expand and replan Auth flow"])).toMatchObject({ code: 1, reason: "several-intents" });
  expect(rig.fails(["don't", "freeze", id])).toMatchObject({ code: 3, reason: "negated" });
  expect(rig.fails(["do", "rebuild auth"])).toMatchObject({ code: 5, reason: "not-understood" });
  expect(rig.ok(["log"])).toEqual(before);
});

it("only suggests where routing is switched off", () => {
  const rig = makeFeature();
  const off = { env: { PLANWRIGHT_ROUTING: "off" } };
  expect(rig.fails(["unfreeze", featureOf(rig)], off)).toMatchObject({ code: 5, reason: "unknown-command" });
  expect(rig.run(["do", "--dry-run", "unfreeze Auth flow"]).stdout).toContain("planwright thaw ");
});
