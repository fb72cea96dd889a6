import { expect, it } from "vitest";
import { provingText, type SignedRequest, signedText } from "./signed-request.js";

const REQUEST: SignedRequest = {
  port: 31_234,
  method: "POST",
  path: "/api/operations/approve",
  bodyHash: "ab",
  nonce: "n",
  time: 1,
};

it("is another text as soon as one part differs", () => {
  const others: Partial<SignedRequest>[] = [
    { port: 31_235 },
    { method: "GET" },
    { path: "/api/operations/approve?at=1" },
    { bodyHash: "ac" },
    { nonce: "m" },
    { time: 2 },
  ];
  const texts = [REQUEST, ...others.map((change) => ({ ...REQUEST, ...change }))].map(signedText);
  texts.push(provingText(31_234, "c"), provingText(31_235, "c"));
  expect(new Set(texts).size).toBe(9);
  expect(texts[0]).toBe("planwright board\n31234\nPOST\n/api/operations/approve\nab\nn\n1");
});
