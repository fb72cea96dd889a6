import { describe, expect, it } from "vitest";
import { commandEnvironment, environmentFor } from "./environment.js";

describe("the environment of workers", () => {
  it("has what any program needs and what was named, and nothing else", () => {
    const given = { PATH: "/bin", LC_ALL: "C", TOKEN: "secret", MY_TOOL: "yes", CI: "1", NOTHING: undefined };
    expect(environmentFor(given, ["MY_*"])).toEqual({ PATH: "/bin", LC_ALL: "C", MY_TOOL: "yes" });
    expect(commandEnvironment(given, [])).toEqual({ PATH: "/bin", LC_ALL: "C", CI: "1" });
  });

  it("never has the secret that proves a person, whatever is named", () => {
    const given = { PATH: "/bin", PLANWRIGHT_SECRET: "5ec2e7" };
    for (const named of ["PLANWRIGHT_SECRET", "PLANWRIGHT_*", "*"]) {
      expect(environmentFor(given, [named])).toEqual({ PATH: "/bin" });
      expect(commandEnvironment(given, [named])).toEqual({ PATH: "/bin" });
    }
  });

  it.each([
    ["http://ada:hunter2@proxy:8080", "http://proxy:8080"],
    ["https://ada:hun%40ter2@proxy:8080/", "https://proxy:8080/"],
    ["ada:h@unter2@proxy:8080", "proxy:8080"],
    ["http://proxy:8080/a@b", "http://proxy:8080/a@b"],
    ["localhost,.example.com", "localhost,.example.com"],
  ])("has no password of a proxy: %s", (address, seen) => {
    for (const name of ["HTTPS_PROXY", "http_proxy", "ALL_PROXY", "no_proxy"]) {
      expect(commandEnvironment({ [name]: address }, [])).toEqual({ [name]: seen });
      expect(commandEnvironment({ [name]: address }, [name])).toEqual({ [name]: address });
    }
  });
});
