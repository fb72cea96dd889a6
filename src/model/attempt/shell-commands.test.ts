import { describe, expect, it } from "vitest";
import { commandsIn } from "./choose-worker.js";

describe("the commands of a task", () => {
  it.each([
    ["none in plain words", "Make it so.", []],
    ["a block that says run", "First:\n\n```sh run\necho a > a.txt\n```\n", ["echo a > a.txt"]],
    ["only blocks that say so", "```sh\nrm -rf x\n```\n```run\nmake\n```\n", ["make"]],
    ["several, in order", "~~~ bash run\none\n~~~\ntext\n```run\ntwo\nthree\n```", ["one", "two\nthree"]],
    ["a fence inside a longer fence is text", "````run\ncat <<'E'\n```\nE\n````\n", ["cat <<'E'\n```\nE"]],
    ["no word that only contains it", "```running\nx\n```\n```sh rerun\ny\n```", []],
    ["no empty block", "```run\n\n```", []],
    ["no block that never ends", "```run\nx", []],
  ])("are %s", (_, body, commands) => expect(commandsIn(body)).toEqual(commands));
});
