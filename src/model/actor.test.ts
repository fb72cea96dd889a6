import { expect, it } from "vitest";
import { isActor, isPerson } from "./actor.js";

it.each(["human:ada", "agent:claude-code", "daemon:host.local:80", "human:Zoë", "human:x".padEnd(106, "x")])(
  "%s is an actor",
  (text) => {
    expect(isActor(text)).toBe(true);
  },
);

it.each([
  "",
  "ada",
  "human:",
  "human: ada",
  "human::x",
  "robot:x",
  "human:a b",
  "HUMAN:ada",
  "human:a\n",
  "human:".padEnd(107, "x"),
])("%j is not an actor", (text) => {
  expect(isActor(text)).toBe(false);
});

it("only humans are persons", () => {
  expect([isPerson("human:ada"), isPerson("agent:human:ada"), isPerson("daemon:x")]).toEqual([true, false, false]);
});
