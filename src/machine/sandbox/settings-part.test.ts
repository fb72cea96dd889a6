import { describe, expect, it } from "vitest";
import { jsonPart, tomlPart, variablesPart } from "./settings-part.js";

describe("the part of settings that comes along", () => {
  it("of JSON is what the list names, with comments in the file or without", () => {
    const text =
      '{ // mine\n "provider": {"x": 1}, "mcp": {"x": {"environment": {"TOKEN": "secret"}}}, "model": "x/y", }';
    expect(jsonPart(["provider", "model"])(text)).toBe('{"provider":{"x":1},"model":"x/y"}');
    expect(jsonPart(["provider"])("no settings")).toBeUndefined();
  });

  it("of variables is what has a name of the agent's own", () => {
    const text =
      "# GEMINI_x\nGEMINI_API_KEY=a=b\nexport  GOOGLE_CLOUD_PROJECT=p\r\nDATABASE_PASSWORD=secret\nMY_GEMINI_X=1\n";
    expect(variablesPart(/^(?:GEMINI|GOOGLE)_/)(text)).toBe("GEMINI_API_KEY=a=b\nexport  GOOGLE_CLOUD_PROJECT=p\n");
  });

  it("of TOML is each key and table that the list names, however many lines they take", () => {
    const text = [
      'model = "m" # [mcp_servers.x]',
      'notify = ["evil", """',
      "model = 'not a setting'",
      '"""]',
      "model_providers.a.name = 'a'",
      "[mcp_servers.x]",
      'env = { TOKEN = "secret" }',
      'model = "secret"',
      "[model_providers.fake]",
      'base_url = "http://127.0.0.1/#v1"',
      "query_params = {",
      '  "a" = "\\"]",',
      "}",
      '["model_providers".other]',
      "name = 'it''",
      "[[hooks.x]]",
      'command = "evil"',
      "[profiles.x]",
      'model_provider = "fake"',
    ].join("\n");
    expect(tomlPart(["model", "model_providers", "profiles"])(text)?.split("\n")).toEqual([
      'model = "m" # [mcp_servers.x]',
      "model_providers.a.name = 'a'",
      "[model_providers.fake]",
      'base_url = "http://127.0.0.1/#v1"',
      "query_params = {",
      '  "a" = "\\"]",',
      "}",
      '["model_providers".other]',
      "name = 'it''",
      "[profiles.x]",
      'model_provider = "fake"',
      "",
    ]);
  });
});
