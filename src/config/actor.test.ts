import { describe, expect, it } from "vitest";
import { actorFrom } from "./actor.js";

describe("the actor", () => {
  it("is what the flag says, else the variable, else who is seen", () => {
    const env = { PLANWRIGHT_ACTOR: "agent:named", USER: "ada" };
    expect(actorFrom("human:bob", env)).toBe("human:bob");
    expect(actorFrom(undefined, env)).toBe("agent:named");
    expect(actorFrom(undefined, { USER: "ada" })).toBe("human:ada");
    expect(actorFrom(undefined, { USERNAME: "Ada Lovelace" })).toBe("human:Ada-Lovelace");
    expect(actorFrom(undefined, {})).toMatch(/^human:\S+$/);
  });

  it("is an agent where one runs the command, unless it is said otherwise", () => {
    const env = { CODEX_SANDBOX: "1", USER: "ada" };
    expect(actorFrom(undefined, env)).toMatch(/^agent:/);
    expect(actorFrom("human:ada", env)).toBe("human:ada");
    expect(actorFrom(undefined, { CODEX_SANDBOX: "", USER: "ada" })).toBe("human:ada");
  });
});
