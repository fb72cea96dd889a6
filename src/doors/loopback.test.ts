import { describe, expect, it } from "vitest";
import { isLocalHost, isLocalOrigin, isSameText, loopbackOrigin } from "./loopback.js";

describe("who may talk to a server on this machine", () => {
  it.each([
    ["127.0.0.1:7000", true],
    ["localhost:7000", true],
    ["LocalHost:7000", true],
    ["[::1]:7000", true],
    ["127.0.0.1:7001", false],
    ["127.0.0.1", false],
    ["localhost.attacker.example:7000", false],
    ["127.0.0.1.attacker.example:7000", false],
    ["attacker.example:7000", false],
    ["127.0.0.1:7000@attacker.example", false],
    ["127.0.0.1:7000, attacker.example", false],
    ["0.0.0.0:7000", false],
    ["", false],
    [undefined, false],
  ])("Host %s: %s", (host, expected) => {
    expect(isLocalHost(host, 7000)).toBe(expected);
  });

  it.each([
    [undefined, true],
    ["http://127.0.0.1:7000", true],
    ["http://localhost:3000", true],
    ["http://127.0.0.1.attacker.example:7000", false],
    ["https://127.0.0.1:7000", false],
    ["null", false],
    ["http://attacker.example", false],
    ["file://", false],
  ])("Origin %s: %s", (origin, expected) => {
    expect(isLocalOrigin(origin)).toBe(expected);
  });

  it("takes every port where none is asked for", () => {
    expect(isLocalHost("localhost")).toBe(true);
    expect(isLocalHost("localhost", 80)).toBe(true);
  });

  it("names the origin of a server as browsers do", () => {
    expect([loopbackOrigin(7000), loopbackOrigin(80)]).toEqual(["http://127.0.0.1:7000", "http://127.0.0.1"]);
  });

  it("compares texts of any length", () => {
    expect([isSameText("a", "a"), isSameText("a", "ab"), isSameText("", "a")]).toEqual([true, false, false]);
  });
});
