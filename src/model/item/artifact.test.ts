import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ArtifactKind, type KeyedArtifact, staleArtifacts } from "./artifact.js";

const made = (
  key: string,
  kind: ArtifactKind,
  round: number,
  from: string[] = [],
  over: Partial<KeyedArtifact["fields"]> = {},
): KeyedArtifact => ({ key, fields: { kind, round, from, run: "RUN-001", hash: `h-${key}`, source: null, ...over } });

const unread = (): undefined => undefined;

describe("stale artifacts", () => {
  const spec = made("S1", "spec", 1, [], { source: "spec.md" });
  const map = made("M1", "capability-map", 1, ["S1"]);
  const draft = made("D1", "draft", 1, ["M1"]);
  const findings = made("F1", "findings", 1, ["D1"]);

  it.each<[string, KeyedArtifact[], string | null | undefined, string[]]>([
    ["nothing", [], undefined, []],
    ["a run that went straight through", [spec, map, draft, findings], "h-S1", []],
    ["a file that nobody looked at", [spec, map], undefined, []],
    ["a changed file: all that came from it", [spec, map, draft], "other", ["S1", "M1", "D1"]],
    ["a file that is gone", [spec, map], null, ["S1", "M1"]],
    ["an artifact that did not come from the changed file", [spec, made("R1", "research", 1)], "other", ["S1"]],
    ["a later spec: what came from the first", [spec, map, made("S2", "spec", 2)], "h-S1", ["M1"]],
    [
      "a later map that came from the later spec",
      [spec, map, made("S2", "spec", 2), made("M2", "capability-map", 2, ["S2"])],
      undefined,
      ["M1"],
    ],
    [
      "a revision: the findings about the first draft, not the revision itself",
      [spec, map, draft, findings, made("D2", "draft", 2, ["D1", "F1"])],
      "h-S1",
      ["F1"],
    ],
    [
      "findings about the revision do not make it stale",
      [draft, findings, made("D2", "draft", 2, ["D1", "F1"]), made("F2", "findings", 2, ["D2"])],
      undefined,
      ["F1"],
    ],
    ["another run's round", [spec, map, made("S2", "spec", 2, [], { run: "RUN-002" })], "h-S1", []],
    ["what comes from something unknown", [made("D1", "draft", 1, ["GONE"])], undefined, []],
    ["links that go round", [made("D1", "draft", 1, ["D2"]), made("D2", "draft", 2, ["D1"])], undefined, []],
    ["a source that is no spec", [made("R1", "research", 1, [], { source: "spec.md" })], "other", []],
  ])("%s", (_, artifacts, hash, stale) => {
    expect([...staleArtifacts(artifacts, () => hash).keys()]).toEqual(stale);
  });

  it("are found in whatever order they come", () => {
    const later = made("S2", "spec", 2);
    expect([...staleArtifacts([later, map, spec], unread).keys()]).toEqual(["M1"]);
  });

  it("say why", () => {
    expect(staleArtifacts([spec], () => "x").get("S1")).toBe("spec.md was changed since it was read");
    expect(staleArtifacts([spec], () => null).get("S1")).toBe("spec.md is no longer there");
    expect(staleArtifacts([spec, map, made("S2", "spec", 2)], unread).get("M1")).toBe(
      "it comes from S1, which S2 replaced",
    );
  });

  it("everything that came from a changed spec is stale, over any number of steps", () => {
    const chain = fc.array(fc.nat(), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(chain, (choices) => {
        const artifacts = choices.map((choice, i) =>
          made(`A${i}`, i === 0 ? "spec" : "draft", i + 1, i === 0 ? [] : [`A${choice % i}`], { source: "s" }),
        );
        const stale = staleArtifacts(artifacts, () => "changed");
        expect(stale.size).toBe(artifacts.length);
      }),
    );
  });
});
