import { expect, it } from "vitest";
import { parsePlanningSettings } from "./planning-settings.js";

it.each([
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["fast", "low"],
  ["hard", "high"],
])("takes %s as effort: %s", (effort, meant) => {
  const { roles, agents } = parsePlanningSettings({
    roles: { critic: { agent: "codex", effort } },
    agents: { claude: { effort } },
  });
  expect([roles["critic"]?.effort, agents["claude"]?.effort]).toEqual([meant, meant]);
});

it("refuses any other effort, and names the setting", () => {
  expect(() => parsePlanningSettings({ roles: { critic: { agent: "codex", effort: "max" } } })).toThrow(
    /roles\.critic\.effort .* must be one of low, medium, high, fast, hard/,
  );
});
