import { expect, it } from "vitest";
import { stateFolder, worktreesFolder } from "./state-folder.js";

it.each<[string, Record<string, string>, NodeJS.Platform, string]>([
  ["the standard's variable", { XDG_STATE_HOME: "/state", HOME: "/home/ada" }, "linux", "/state/planwright"],
  ["not a relative one", { XDG_STATE_HOME: "state", HOME: "/home/ada" }, "linux", "/home/ada/.local/state/planwright"],
  ["the standard's default", { HOME: "/home/ada" }, "linux", "/home/ada/.local/state/planwright"],
  ["macOS", { HOME: "/Users/ada" }, "darwin", "/Users/ada/Library/Application Support/planwright"],
  ["Windows", { LOCALAPPDATA: "/local", HOME: "/x" }, "win32", "/local/planwright"],
])("the state folder: %s", (_, env, platform, expected) => {
  expect(stateFolder(env, platform)).toBe(expected);
});

it("worktrees are never in the checkout unless the setting says so", () => {
  const env = { XDG_STATE_HOME: "/state" };
  expect(worktreesFolder("/home/ada/a shop", null, env)).toMatch(
    /^\/state\/planwright\/worktrees\/a_shop-[0-9a-f]{12}$/,
  );
  expect(worktreesFolder("/home/bob/a shop", null, env)).not.toBe(worktreesFolder("/home/ada/a shop", null, env));
  expect(worktreesFolder("/home/ada/shop", ".trees", env)).toBe("/home/ada/shop/.trees");
  expect(worktreesFolder("/home/ada/shop", "/big/trees", env)).toBe("/big/trees");
});
