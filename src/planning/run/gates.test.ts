// What one stage hands to the next: wrong maps go back to the stage that made them, because no later answer has a field for them.

import { expect, it } from "vitest";
import { must, type TestPlan } from "../../../test/plan.js";
import { FILES, MAP, planForEach, planningRig, request, withAnswers } from "../../../test/planning.js";
import type { CapabilityMap, FileMap } from "../contracts/maps.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

type Wrong = [what: string, stage: "capabilities" | "files", answer: unknown, problem: string];

const map = (change: (map: CapabilityMap) => void): unknown => {
  const changed = structuredClone(MAP) as unknown as CapabilityMap;
  change(changed);
  return changed;
};

const files = (change: (files: FileMap) => void): unknown => {
  const changed = structuredClone(FILES) as unknown as FileMap;
  change(changed);
  return changed;
};

const capability = ({ domains: [domain] }: CapabilityMap) => {
  const [found] = domain?.capabilities ?? [];
  if (found === undefined) throw new Error("no capability");
  return found;
};

const WRONG: readonly Wrong[] = [
  ["a capability with an invented quote", "capabilities", map((m) => (capability(m).quote = "It sings.")), "C1 quotes"],
  [
    "a behaviour with an invented quote",
    "capabilities",
    map((m) => Object.assign(capability(m).behaviours[0] ?? {}, { quote: "It sings." })),
    'B1 quotes "It sings.", which is not in the spec',
  ],
  [
    "something left out that the spec never said",
    "capabilities",
    map((m) => (m.leftOut = [{ quote: "It sings.", reason: "later" }])),
    "leftOut quotes",
  ],
  [
    "two behaviours with one id",
    "capabilities",
    map((m) => Object.assign(capability(m).behaviours[1] ?? {}, { id: "B1" })),
    "P-MAP-ID",
  ],
  [
    "a flow through nothing",
    "capabilities",
    map((m) => Object.assign(m.flows[0] ?? {}, { steps: ["B1", "B9"] })),
    "steps that are no behaviours: B9",
  ],
  [
    "no steel thread",
    "capabilities",
    map((m) => Object.assign(m.flows[0] ?? {}, { steelThread: false })),
    "No flow is the steel thread",
  ],
  ["a behaviour without files", "files", files((f) => f.behaviours.pop()), "The behaviour B3 "],
  [
    "files for a behaviour that nobody asked for",
    "files",
    files((f) =>
      f.behaviours.push({ behaviour: "B9", files: [{ path: "a.sh", action: "create", purpose: "" }], tests: [] }),
    ),
    "names the behaviour B9, which the capability map does not have",
  ],
];

it.each(WRONG)("%s never leaves its stage", async (_, stage, answer, problem) => {
  const rig = planningRig(plan, { answer: withAnswers({ [`author ${stage}`]: [answer] }) });
  expect(must(await rig.plan(request())).status).toBe("ready");
  expect(rig.asked.filter((topic) => topic.startsWith("author"))).toEqual(
    ["capabilities", "files", "tasks"].flatMap((each) =>
      each === stage ? [`author ${each}`, `author ${each}`] : [`author ${each}`],
    ),
  );
  const again = rig.requests[rig.asked.lastIndexOf(`author ${stage}`)]?.brief;
  expect(again?.problems.join("\n")).toContain(problem);
});

it("a map that stays wrong stops the run in its stage, and a better one lets it go on", async () => {
  const wrong = map((m) => (capability(m).quote = "It sings."));
  const rig = planningRig(plan, { answer: withAnswers({ "author capabilities": [wrong, wrong, wrong] }) });
  expect(must(await rig.plan(request()))).toMatchObject({ status: "halted", stage: "capabilities" });
  expect(must(await rig.resume()).status).toBe("ready");
});
