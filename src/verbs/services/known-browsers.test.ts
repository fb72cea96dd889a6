import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { KnownBrowsers } from "./known-browsers.js";

const DAY = 24 * 60 * 60_000;
const BROWSER = { key: "one", actor: "human:ada", port: 7000, name: "Firefox on Linux" };

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-browsers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "browsers");
}

it("knows a browser in another process and after a restart, until it is removed", () => {
  const folder = makeFolder();
  const { id } = new KnownBrowsers(folder, () => 5).add(BROWSER);
  const later = new KnownBrowsers(folder, () => 6);
  expect(later.list()).toEqual([{ id, ...BROWSER, shared: expect.stringMatching(/^[\w-]{43}$/), since: 5, usedAt: 5 }]);
  expect(statSync(join(folder, `${id}.json`)).mode & 0o777).toBe(0o600);
  expect([later.remove(id), later.find(id), readdirSync(folder)]).toEqual([true, undefined, []]);
});

it("forgets a browser that was not used for 30 days, and counts from its last use", () => {
  let now = 0;
  const browsers = new KnownBrowsers(makeFolder(), () => now);
  const [kept, left] = [browsers.add(BROWSER), browsers.add({ ...BROWSER, key: "two" })];
  now = 20 * DAY;
  browsers.use(kept);
  now = 40 * DAY;
  expect([browsers.find(kept.id)?.usedAt, browsers.find(left.id)]).toEqual([20 * DAY, undefined]);
  expect(browsers.list().map(({ id }) => id)).toEqual([kept.id]);
});

it("writes when a browser was used once an hour, and removes old ones with the next one that comes", () => {
  let now = 0;
  const folder = makeFolder();
  const browsers = new KnownBrowsers(folder, () => now);
  const added = browsers.add(BROWSER);
  now = 1_000;
  browsers.use(added);
  expect(browsers.find(added.id)?.usedAt).toBe(0);
  now = 31 * DAY;
  const next = browsers.add({ ...BROWSER, key: "two" });
  expect(readdirSync(folder)).toEqual([`${next.id}.json`]);
});

it.each([
  ["nothing", "null"],
  ["half a note", '{"id":"ID","key":"one"}'],
  [
    "the note of another one",
    '{"id":"0000000000000000","key":"a","shared":"s","actor":"b","name":"c","port":1,"since":1,"usedAt":1}',
  ],
])("does not know a browser whose file holds %s", (_, text) => {
  const folder = makeFolder();
  const browsers = new KnownBrowsers(folder, () => 2);
  const { id } = browsers.add(BROWSER);
  expect(JSON.parse(readFileSync(join(folder, `${id}.json`), "utf8"))).toMatchObject(BROWSER);
  writeFileSync(join(folder, `${id}.json`), text.replace("ID", id));
  expect([browsers.find(id), browsers.find("../secret"), browsers.list()]).toEqual([undefined, undefined, []]);
});

it("knows browsers until it ends where there is no folder", () => {
  const browsers = new KnownBrowsers(undefined);
  const { id } = browsers.add(BROWSER);
  expect(browsers.list()).toHaveLength(1);
  expect([browsers.remove(id), browsers.find(id)]).toEqual([true, undefined]);
});
