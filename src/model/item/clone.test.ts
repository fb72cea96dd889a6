import { expect, it } from "vitest";
import { cloneText } from "./clone.js";

it("what is signed for a clone is about that clone, up to one operation, and nothing else", () => {
  const text = cloneText("c-1", { seq: 7, digest: "abc", seal: "" });
  const others = [
    cloneText("c-2", { seq: 7, digest: "abc", seal: "" }),
    cloneText("c-1", { seq: 8, digest: "abc", seal: "" }),
    cloneText("c-1", { seq: 7, digest: "abd", seal: "" }),
  ];
  expect(text).toBe("planwright clone\nc-1\n7\nabc");
  expect(new Set([text, ...others]).size).toBe(4);
});
