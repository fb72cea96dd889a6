import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../../../test/git-repository.js";
import { leastSettings, type Setting, settingsInText, settingsText } from "./config-text.js";

const HARD = `\uFEFF; a comment
[core] bare = false
	autocrlf
	Eol = lf # not this
[remote "or \\"i\\\\gin.x"]
	URL = "ssh://a ; b"  ; nor this
	fetch = +refs/*:refs/* \\
  and more
	pushurl =   two   words\t
[branch.Main]
	remote = "a"b" c"
[Filter "lfs"]
	clean = git-lfs clean -- %f
[user]name=Ada "the\\tfirst\\n" \\\\ L
[empty]
	value =
	other = ""
`;

function fromGit(text: string): Setting[] {
  const { path, git } = makeRepository();
  const file = join(path, "settings");
  writeFileSync(file, text);
  const entries = git("config", "--file", file, "--list", "-z")
    .split("\0")
    .filter((entry) => entry !== "");
  return entries.map((entry) => {
    const end = entry.indexOf("\n");
    return end < 0 ? { name: entry, value: null } : { name: entry.slice(0, end), value: entry.slice(end + 1) };
  });
}

describe("git settings in a file", () => {
  it("are read as git reads them", () => {
    expect(settingsInText(HARD)).toEqual(fromGit(HARD));
  });

  it("are written so that git reads the same", () => {
    const settings = settingsInText(HARD);
    expect(fromGit(settingsText(settings))).toEqual(settings);
    expect(settingsInText(settingsText(settings))).toEqual(settings);
  });

  it("say the length of names of commits in a repository of our own", () => {
    expect(leastSettings("a".repeat(64), { "core.eol": "lf" }).map(({ name, value }) => `${name}=${value}`)).toEqual([
      "core.repositoryformatversion=1",
      "core.bare=false",
      "core.eol=lf",
      "extensions.objectformat=sha256",
    ]);
  });
});
