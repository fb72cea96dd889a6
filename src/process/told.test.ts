import { expect, it } from "vitest";
import { canBeTold, lineOf } from "./told.js";

const told = { command: "git", args: ["log", "it's"], cwd: "/a b", env: {} };

it("takes any word without a zero byte", () => {
  expect(canBeTold({ ...told, args: ["\n\u0001'"], env: { A: "" } })).toBe(true);
  expect(canBeTold({ ...told, args: ["\0"] })).toBe(false);
  expect(canBeTold({ ...told, cwd: "\0" })).toBe(false);
  expect(canBeTold({ ...told, env: { A: "\0" } })).toBe(false);
});

it("takes no name that a shell does not, or that is its own", () => {
  for (const name of ["a.b", "1A", "", "UID", "EUID", "PPID", "OPTIND", "SHELLOPTS", "A\nB"]) {
    expect(canBeTold({ ...told, env: { [name]: "1" } })).toBe(false);
  }
});

it("says that it begins after everything that can go wrong before", () => {
  const line = lineOf({ ...told, env: { A: "1", B: "$x" } }, { without: ["PWD"], streams: "< /dev/null" });
  expect(line("M")).toBe(
    `( { cd '/a b' && export A='1' B='$x' && unset PWD && echo "M $1"; } >&3 2>&3 && ` +
      `exec 'git' 'log' 'it'\\''s' 3>&-\n) 3>&2 < /dev/null`,
  );
});
