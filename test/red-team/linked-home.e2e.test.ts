// Threat: a home folder behind a link, so that what is inside of what looks different from what it is.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "../rig.js";
import { SECRET } from "../secret.js";

/** A link to the rig's own folder, which is the home of whoever asks. */
function linkedHome(rig: Rig): Record<string, string> {
  const elsewhere = makeRig();
  const link = join(elsewhere.root, "home");
  symlinkSync(rig.root, link);
  return { HOME: link, PLANWRIGHT_CONFIG: "", PLANWRIGHT_SECRET: "" };
}

describe("a home folder behind a link", () => {
  it("is known as the home folder: init doubts that you want a plan there", () => {
    const rig = makeRig();
    const { code, reason } = rig.fails(["init"], { env: linkedHome(rig) });
    expect({ code, reason }).toEqual({ code: 3, reason: "home-folder" });
  });

  it("does not make a secret count that is inside of the workspace, where workers can read it", () => {
    const rig = makeRig();
    const env = linkedHome(rig);
    mkdirSync(join(rig.root, ".config/planwright"), { recursive: true });
    writeFileSync(join(rig.root, ".config/planwright/secret"), `${SECRET}\n`, { mode: 0o600 });
    const { reason, message } = rig.fails(["init", "--here"], { env: { ...env, PLANWRIGHT_ACTOR: "human:ada" } });
    expect(reason).toBe("needs-person");
    expect(message).toContain("is inside this workspace");
  });

  it("works for everything that is kept in it: the secret, backups, worktrees and work that is handed in", () => {
    const [home, rig] = [makeRig(), makeRig()];
    const env = { ...linkedHome(home), XDG_STATE_HOME: "" };
    rig.git("init", "--quiet", "--initial-branch", "main");
    rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
    rig.ok(["init"], { env: { ...env, PLANWRIGHT_SECRET: SECRET } });
    rig.ok(
      ["add", "Pay by card", "--parent", "BUGS", "--id", "T-1", "--file", "pay.txt", "--check", "test -s pay.txt"],
      { env },
    );
    const person = { env: { ...env, PLANWRIGHT_SECRET: SECRET } };
    rig.ok(["approve", "T-1"], person);
    expect(rig.ok(["backup", "list"], person).backups).toHaveLength(1);
    rig.ok(["next"], person);
    expect(rig.ok(["show", "T-1"], person).claim).toMatchObject({ by: "human:ada" });
    rig.write("pay.txt", "paid");
    expect(rig.ok(["complete", "T-1"], person)).toMatchObject({ acceptance: "accepted" });
    rig.ok(["verify"], person);
  });
});
