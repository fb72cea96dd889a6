import { expect, it } from "vitest";
import { focusKeyOf, mayFocus } from "./focus-key.js";

it("each conversation of an agent has a focus of its own, and a person has one", () => {
  expect(focusKeyOf("agent:bot", undefined)).toBe("agent:bot");
  expect(focusKeyOf("agent:bot", "0123456789abcdef")).toBe("agent:bot 0123456789ab");
  expect(focusKeyOf("human:ada", "0123456789abcdef")).toBe("human:ada");
});

it("the focus of a conversation does not outlive its feature", () => {
  for (const tier of ["mission", "initiative"] as const) {
    expect(mayFocus("agent:bot", tier)).toBe(true);
    expect(mayFocus("agent:bot 0123456789ab", tier)).toBe(false);
  }
  expect(mayFocus("agent:bot 0123456789ab", "feature")).toBe(true);
});
