import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FEATURE, type Finished, finished, isClean } from "../../../test/finished-feature.js";
import { write } from "../../../test/git-repository.js";
import { mustFail } from "../../../test/plan.js";
import { fileTask } from "../../../test/shop.js";
import { DEFAULT_GIT_SETTINGS, type GitSettings } from "../../machine/git/git-settings.js";
import { landFeature } from "./land.js";

const withSettings = (shop: Finished, settings: Partial<GitSettings>): Finished["person"] => ({
  ...shop.person,
  context: { ...shop.person.context, gitSettings: async () => ({ ...DEFAULT_GIT_SETTINGS, ...settings }) },
});

describe("a landing", () => {
  it("as a squash is one commit on main, with all checks on it", async () => {
    const shop = await finished([fileTask("one"), fileTask("two")]);
    shop.repository.commit({ "other.txt": "x" });
    const from = shop.git("rev-parse", "main");
    const landing = await shop.landed({ strategy: "squash" });
    expect(landing.checks).toHaveLength(2);
    expect(shop.git("rev-list", "--parents", "-1", "main")).toBe(`${landing.commit} ${from}`);
    expect(shop.git("ls-tree", "--name-only", "main").split("\n")).toContain("two.txt");
    expect(shop.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    isClean(shop);
    expect((await shop.refused()).reason).toBe("nothing-to-land");
  });

  it("as a rebase is the commits of the tasks on top of main, with their authors", async () => {
    const shop = await finished([fileTask("one"), fileTask("two")]);
    const log = (range: string): string => shop.git("log", "--reverse", "--format=%an %ae %aI %s", range);
    const before = log(`main..${FEATURE}`);
    shop.repository.commit({ "other.txt": "x" });
    const from = shop.git("rev-parse", "main");
    const landing = await shop.landed({ strategy: "rebase" });
    expect(log(`${from}..main`)).toBe(before);
    expect(shop.git("rev-list", "--merges", `${from}..main`)).toBe("");
    expect(shop.git("rev-parse", "main")).toBe(landing.commit);
    isClean(shop);
  });

  it("as a rebase that only a merge can do is refused, and main stays as it was", async () => {
    const shop = await finished([
      fileTask("one"),
      fileTask("two", {
        body: "```sh run\necho 2 > one.txt; echo > two.txt\n```",
        dependsOn: ["T-one"],
        files: ["two.txt", "one.txt"],
      }),
    ]);
    shop.repository.commit({ "one.txt": "2\n" });
    const before = shop.everything();
    const failure = await shop.refused({ strategy: "rebase" });
    expect(failure).toMatchObject({ reason: "rebase-conflict", details: { files: ["one.txt"] } });
    expect(shop.everything()).toEqual(before);
    await shop.landed({ strategy: "squash" });
  });

  it("takes strategy and message from the settings, and the trailers always follow", async () => {
    const shop = await finished([fileTask("one")]);
    const person = withSettings(shop, { landStrategy: "squash", landMessage: "feat: {title} ({id})\n\n{tasks}" });
    expect((await landFeature(person, "FEAT-A")).ok).toBe(true);
    expect(shop.git("log", "-1", "--format=%B", "main")).toBe(
      "feat: Feature A (FEAT-A)\n\n- T-one: Make one\n\nPlanwright-Feature: FEAT-A\nPlanwright-Task: FEAT-A-LAND\nPlanwright-Branch: planwright/feature/FEAT-A\nPlanwright-Proof: T-one unknown\n",
    );
    expect(shop.git("rev-list", "--merges", "main")).toBe("");
  });

  it.each([
    ["auto", "gpgsig"],
    ["off", "none"],
  ] as const)("of a git that signs commits, with signing %s", async (signing, expected) => {
    const shop = await finished([fileTask("one")]);
    const gpg = join(shop.repository.around, "gpg");
    write(shop.repository.around, {
      gpg: "#!/bin/sh\ncat > /dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho '-----BEGIN PGP SIGNATURE-----'\n",
    });
    chmodSync(gpg, 0o755);
    for (const [key, value] of [
      ["commit.gpgSign", "true"],
      ["gpg.program", gpg],
      ["user.signingKey", "me"],
    ] as const)
      shop.git("config", key, value);
    expect((await landFeature(withSettings(shop, { signing }), "FEAT-A")).ok).toBe(true);
    expect(shop.git("cat-file", "commit", "main").includes("gpgsig") ? "gpgsig" : "none").toBe(expected);
  });

  it("that cannot be signed is refused, and main stays as it was", async () => {
    const shop = await finished([fileTask("one")]);
    shop.git("config", "commit.gpgSign", "true");
    shop.git("config", "gpg.program", "/nonexistent/gpg");
    const before = shop.everything();
    const failure = mustFail(await landFeature(withSettings(shop, {}), "FEAT-A"));
    expect(failure.message).toContain("signed commit");
    expect(shop.everything()).toEqual(before);
  });
});
