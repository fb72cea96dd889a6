import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Finished, finished } from "../../../test/finished-feature.js";
import { write } from "../../../test/git-repository.js";
import { SANDBOX_MODES } from "../../../test/needs-sandbox.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask } from "../../../test/shop.js";
import { DEFAULT_GIT_SETTINGS, type GitSettings } from "../../machine/git/git-settings.js";
import { landFeature } from "./land.js";

const withHooks = (shop: Finished, hooks: GitSettings["hooks"]): Finished["person"] => ({
  ...shop.person,
  context: { ...shop.person.context, gitSettings: async () => ({ ...DEFAULT_GIT_SETTINGS, hooks }) },
});

function hook(folder: string, name: string, script: string): void {
  write(folder, { [name]: `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, name), 0o755);
}

describe.each(SANDBOX_MODES)("with execution.sandbox %s", (sandbox, needed) => {
  it.each([
    ["merge", "pre-merge-commit"],
    ["squash", "pre-commit"],
  ] as const)("a %s never lands against the hook %s, which sees the staged change", needed, async (strategy, name) => {
    const shop = await finished([fileTask("one")], { policy: { sandbox } });
    const folder = join(shop.repository.path, ".git/hooks");
    hook(folder, name, "git diff --cached --name-only | grep -qx one.txt || exit 9; exit 1");
    const before = shop.everything();
    const failure = mustFail(await landFeature(withHooks(shop, "run"), "FEAT-A", { strategy }));
    expect(failure.message).toContain(`the hook ${name} failed: exit 1`);
    expect(shop.everything()).toEqual(before);
    hook(folder, name, "exit 0");
    hook(folder, "commit-msg", 'grep -q "Land FEAT-A" "$1"');
    const landing = must(await landFeature(withHooks(shop, "run"), "FEAT-A", { strategy }));
    expect(landing.checks.map(({ run }) => run).slice(-2)).toEqual([`the hook ${name}`, "the hook commit-msg"]);
  });
});

it("hooks are skipped unless the setting says so", async () => {
  const shop = await finished([fileTask("one")]);
  hook(join(shop.repository.path, ".git/hooks"), "pre-merge-commit", "exit 1");
  expect(must(await landFeature(withHooks(shop, "skip"), "FEAT-A")).outcome).toBe("landed");
});

it("a hook that work has changed never runs", async () => {
  const body =
    "```sh run\nmkdir -p .hooks; printf '#!/bin/sh\\ntouch /tmp/planwright-evil-hook\\n' > .hooks/pre-merge-commit\nchmod +x .hooks/pre-merge-commit\n```";
  const files = { ".hooks/pre-merge-commit": "#!/bin/sh\nexit 0\n" };
  const task = fileTask("one", { body, files: [".hooks/pre-merge-commit"], checks: [{ run: "test -d .hooks" }] });
  const shop = await finished([task], { files });
  chmodSync(join(shop.repository.path, ".hooks/pre-merge-commit"), 0o755);
  shop.git("commit", "-qam", "executable");
  shop.git("config", "core.hooksPath", ".hooks");
  const failure = mustFail(await landFeature(withHooks(shop, "run"), "FEAT-A"));
  expect(["hooks-changed", "merge-conflict"]).toContain(failure.reason);
});
