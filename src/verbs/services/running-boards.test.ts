import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type BoardFacts, RunningBoards } from "./running-boards.js";

const FACTS: BoardFacts = {
  port: 7000,
  actor: "human:ada",
  canConfirm: true,
  readOnly: false,
  ofDaemon: false,
  lock: "k",
};
const CODE = { once: "a", mac: "b", until: 1 };

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-boards-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "boards");
}

it("lists the boards that run, until they end", () => {
  const folder = makeFolder();
  const boards = new RunningBoards(folder);
  expect(boards.list()).toEqual([]);
  const { id, end } = boards.register(FACTS);
  expect(new RunningBoards(folder).list()).toEqual([{ id, ...FACTS }]);
  end();
  expect([boards.list(), readdirSync(folder)]).toEqual([[], []]);
});

it("gives a code to the board that it was left for, once", () => {
  const boards = new RunningBoards(makeFolder());
  const [one, two] = [boards.register(FACTS), boards.register({ ...FACTS, port: 7001 })];
  expect(boards.leaveCode(one.id, CODE)).toBe(true);
  expect([boards.takeCode(two.id), boards.takeCode(one.id), boards.takeCode(one.id)]).toEqual([
    undefined,
    CODE,
    undefined,
  ]);
});

it.each([
  ["of a process that is gone", { driver: "HOST/999999999" }],
  ["of another machine", { host: "elsewhere" }],
  ["that names no process", { driver: undefined }],
  ["of an older program, for which no code can be sealed", { lock: undefined }],
])("does not list a board %s", (_, change) => {
  const folder = makeFolder();
  const boards = new RunningBoards(folder);
  const { id } = boards.register(FACTS);
  const file = join(folder, `${id}.json`);
  const note = JSON.parse(readFileSync(file, "utf8")) as { host: string };
  writeFileSync(file, JSON.stringify({ ...note, ...change }).replace("HOST", note.host));
  expect(boards.list()).toEqual([]);
});

it("forgets boards whose process is gone when another one starts, and what is no note", () => {
  const folder = makeFolder();
  const boards = new RunningBoards(folder);
  const { id } = boards.register(FACTS);
  writeFileSync(join(folder, `${id}.json`), "[");
  writeFileSync(join(folder, `${id}.code`), "null");
  expect([boards.list(), boards.takeCode(id)]).toEqual([[], undefined]);
  const next = boards.register(FACTS);
  expect(readdirSync(folder)).toEqual([`${next.id}.json`]);
});

it("does without a folder", () => {
  const boards = new RunningBoards(undefined);
  const { id, end } = boards.register(FACTS);
  end();
  expect([boards.list(), boards.leaveCode(id, CODE), boards.takeCode(id)]).toEqual([[], false, undefined]);
});
