import { afterEach, describe, expect, it, vi } from "vitest";
import { type Connection, connect, requireSafeEngine } from "./driver.js";

/** A connection that says which SQLite it is, and nothing else. */
const saying = (version: string): Connection => ({
  exec: () => undefined,
  close: () => undefined,
  prepare: () => ({
    all: () => [],
    get: () => ({ version }),
    run: () => ({ changes: 0 }),
    columns: () => [],
    setReturnArrays: () => undefined,
  }),
});

describe("an SQLite engine", () => {
  it.each(["3.51.3", "3.51.10", "3.52.0", "3.100.0", "4.0.0", "4", "3.53"])("of version %s is safe", (version) => {
    expect(() => requireSafeEngine(saying(version))).not.toThrow();
  });

  it.each(["3.51.2", "3.51", "3.9.9", "3.50.9", "2.99.99", "3", "", "three"])("of version %j is refused", (version) => {
    expect(() => requireSafeEngine(saying(version))).toThrow(/is not safe with several processes: 3\.51\.3 or newer/);
  });

  it.each(["auto", "add-on"] as const)("is found by the choice %s, and is safe", (choice) => {
    const connection = connect(":memory:", choice);
    requireSafeEngine(connection);
    expect(connection.prepare("select 1 + 1 as two").get()).toEqual(expect.objectContaining({ two: 2 }));
    connection.close();
  });
});

describe("Node's own engine", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.resetModules();
  });

  /** One that has not loaded any engine yet. */
  const freshDriver = async (): Promise<{ connect: typeof connect }> => {
    vi.resetModules();
    return import("./driver.js");
  };

  class Recorded {
    readonly given: readonly unknown[];
    constructor(...given: unknown[]) {
      this.given = given;
    }
  }

  it("is asked of Node when it is chosen, once", async () => {
    const ask = vi.spyOn(process, "getBuiltinModule").mockReturnValue({ DatabaseSync: Recorded });
    const driver = await freshDriver();
    const opened = driver.connect("plan.db", "built-in", true) as unknown as Recorded;
    expect(opened.given).toEqual(["plan.db", { readOnly: true }]);
    driver.connect("plan.db", "built-in");
    expect(ask.mock.calls).toEqual([["node:sqlite"]]);
  });

  it("that is missing is said in words", async () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    const driver = await freshDriver();
    expect(() => driver.connect(":memory:", "built-in")).toThrow(
      `Node ${process.versions.node} has no SQLite of its own.`,
    );
  });

  it.each([
    ["20.19.0", false],
    ["22.22.0", false],
    ["24.14.9", false],
    ["24.15.0", true],
    ["24.15.0-nightly", true],
    ["25.0.0", true],
  ])("on Node %s is taken by itself: %s", async (version, taken) => {
    const ask = vi.spyOn(process, "getBuiltinModule").mockReturnValue({ DatabaseSync: Recorded });
    vi.spyOn(process, "versions", "get").mockReturnValue({ ...process.versions, node: version });
    const driver = await freshDriver();
    const opened = driver.connect(":memory:", "auto");
    expect([ask.mock.calls.length, opened instanceof Recorded]).toEqual(taken ? [1, true] : [0, false]);
    if (!taken) opened.close();
  });

  it("is left aside when the add-on is asked for", async () => {
    const ask = vi.spyOn(process, "getBuiltinModule");
    vi.spyOn(process, "versions", "get").mockReturnValue({ ...process.versions, node: "30.0.0" });
    const driver = await freshDriver();
    driver.connect(":memory:", "add-on").close();
    expect(ask).not.toHaveBeenCalled();
  });

  it("is not there for a platform without a prebuilt one, which is said in words", async () => {
    vi.spyOn(process, "arch", "get").mockReturnValue("mips");
    const driver = await freshDriver();
    expect(() => driver.connect(":memory:", "add-on")).toThrow(/There is no SQLite for \w+-mips on Node/);
  });
});
