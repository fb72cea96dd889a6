import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { followTools, rememberTools } from "./tool-environment.js";

function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), "planwright-tools-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const envOf = (PATH: string, more: object = {}) => ({ PATH, PLANWRIGHT_CONFIG: join(folder, "config"), ...more });
  return { root: join(folder, "work"), envOf };
}

describe("a program that runs for long", () => {
  it("has the tools of a person's later command, in the same object", () => {
    const { root, envOf } = makePlace();
    const { env, refresh } = followTools(
      root,
      envOf("/old", { VIRTUAL_ENV: "/venv", PLANWRIGHT_ACTOR: "human:Ada" }),
      true,
    );
    expect([env["PATH"], refresh()]).toEqual(["/old", false]);
    rememberTools(root, envOf("/old:/new"));
    expect([refresh(), env["PATH"], env["VIRTUAL_ENV"], env["PLANWRIGHT_ACTOR"]]).toEqual([
      true,
      "/old:/new",
      undefined,
      "human:Ada",
    ]);
    expect(refresh()).toBe(false);
  });

  it("does not take back what a person noted meanwhile", () => {
    const { root, envOf } = makePlace();
    const old = envOf("/old");
    const { env, refresh } = followTools(root, old, true);
    rememberTools(root, envOf("/new"));
    rememberTools(root, old);
    expect([refresh(), env["PATH"]]).toEqual([true, "/new"]);
  });
});
