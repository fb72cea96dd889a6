import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactAll, redactorFor } from "./redact.js";

const redact = redactorFor({
  OPENAI_API_KEY: "correct horse battery",
  DB_PASSWORD: "p@ss/word+1",
  GITHUB_TOKEN: "short",
  SSH_AUTH_SOCK: "/tmp/ssh-agent.sock",
  USE_TOKENS: "true",
  HOME: "/home/somebody",
  GONE_SECRET: undefined,
});

// Put together here, so that no scanner takes this file for a leak.
const key = (...parts: string[]): string => parts.join("");

describe("text without secrets stays as it is", () => {
  it.each([
    "/home/somebody/project",
    "a short token of affection",
    "/tmp/ssh-agent.sock",
    "tokens: 12345678",
    "the sky-blue task",
    "const asterisk = 1;",
    "http://127.0.0.1:8080/path",
    "mailto:somebody@example.org",
  ])("%s", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("a secret is taken out", () => {
  it.each([
    ["my correct horse battery, staple", "my [redacted OPENAI_API_KEY], staple"],
    ["p@ss/word+1", "[redacted DB_PASSWORD]"],
    ["?p=p%40ss%2Fword%2B1&q", "?p=[redacted DB_PASSWORD]&q"],
    [`use ${key("sk-", "ant-api03-abcdefgh_12")} now`, "use [redacted key] now"],
    [key("ghp_", "abcdefghijklmnop1234"), "[redacted token]"],
    [key("github_pat_", "11ABCDEFG0abcdefghij"), "[redacted token]"],
    [key("AKIA", "IOSFODNN7EXAMPLE"), "[redacted key]"],
    [key("AIza", "SyA1234567890abcdefghijklmnopqrstuv"), "[redacted key]"],
    [key("xoxb-", "1234567890-abcdef"), "[redacted token]"],
    [key("npm_", "abcdefghijklmnopqrstuvwxyz"), "[redacted token]"],
    [key("eyJhbGciOi", "JIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123"), "[redacted token]"],
    ["Authorization: Bearer abcdef123456", "Authorization: Bearer [redacted]"],
    ['"api_key": "abcdef123456"', '"api_key": "[redacted]"'],
    ["password=hunter2hunter2;", "password=[redacted];"],
    ["postgres://user:hunter2@db/x", "postgres://user:[redacted]@db/x"],
    [
      key("-----BEGIN RSA PRIV", "ATE KEY-----\nabc\n-----END RSA PRIV", "ATE KEY-----\nrest"),
      "[redacted private key]\nrest",
    ],
    [key("a -----BEGIN PRIV", "ATE KEY-----\ncut off"), "a [redacted private key]"],
  ])("%s", (text, clean) => {
    expect(redact(text)).toBe(clean);
  });
});

const secret = fc
  .stringMatching(/^[!-~]{8,30}$/)
  .filter((text) => !/^(\/|[A-Za-z]:\\|\d+$|redacted|SECRET)/.test(text));

describe("whatever stands around it", () => {
  it("no secret of the environment gets through", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        fc.pre(!"[redacted MY_SECRET]".includes(value));
        expect(redactorFor({ MY_SECRET: value })(`${before}${value}${after}`)).not.toContain(value);
      }),
    );
  });

  it("cleaning twice is cleaning once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom("Bearer abcdefgh1", "token: abcdefgh1", "sk-abcdefgh1"))),
        (parts) => {
          const once = redact(parts.join(" "));
          expect(redact(once)).toBe(once);
        },
      ),
    );
  });
});

it("is found in every text of a value", () => {
  const value = { list: ["correct horse battery", 1, null], "correct horse battery": { deep: true } };
  expect(redactAll(value, redact)).toEqual({
    list: ["[redacted OPENAI_API_KEY]", 1, null],
    "[redacted OPENAI_API_KEY]": { deep: true },
  });
});
