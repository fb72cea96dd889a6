import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { NEWS } from "../model/item/subscription.js";
import { loadNotificationSettings } from "./notification-settings.js";
import { BadSetting, SETTINGS_FILE } from "./settings.js";
import { loadSettings, settingsHash } from "./trust.js";

function folderWith(notifications?: unknown): string {
  const root = mkdtempSync(join(tmpdir(), "planwright-settings-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  if (notifications !== undefined) writeFileSync(join(root, SETTINGS_FILE), JSON.stringify({ notifications }));
  return root;
}

/** With everything in it trusted. */
const load = (root: string): ReturnType<typeof loadNotificationSettings> =>
  loadNotificationSettings(root, { PLANWRIGHT_TRUST: settingsHash(root) });

describe("the settings of notifications", () => {
  it("are silent, unless they are told otherwise", () => {
    const settings = load(folderWith());
    expect(settings).toEqual({
      bell: false,
      desktop: false,
      webhook: null,
      command: null,
      news: ["rejected", "needs-person", "landed"],
    });
    expect(Object.isFrozen(settings)).toBe(true);
  });

  it("are read, and stand beside the others", () => {
    const root = folderWith({
      bell: true,
      desktop: true,
      webhook: { url: "https://example.org/hook", retries: 1 },
      command: ["notify", "--loud"],
      news: NEWS,
    });
    expect(load(root)).toEqual({
      bell: true,
      desktop: true,
      webhook: { url: "https://example.org/hook", allowHttp: false, timeoutSeconds: 10, retries: 1 },
      command: ["notify", "--loud"],
      news: NEWS,
    });
    expect(() => loadSettings(root, {})).not.toThrow();
    expect(load(folderWith({ command: "say hello", webhook: null }))).toMatchObject({
      command: "say hello",
      webhook: null,
    });
  });

  it.each([
    ["no object", []],
    ["unknown", { colour: "red" }],
    ["no flag", { bell: 1 }],
    ["no address", { webhook: { url: "example" } }],
    ["an address of another sort", { webhook: { url: "file:///etc/passwd" } }],
    ["a webhook without an address", { webhook: {} }],
    ["a time that is none", { webhook: { url: "https://example.org", timeoutSeconds: 0 } }],
    ["an empty command", { command: "" }],
    ["a command without a program", { command: [] }],
    ["a command that is no list of texts", { command: [1] }],
    ["news that do not exist", { news: ["finished"] }],
    ["news that are no list", { news: "ready" }],
  ])("are refused when they are %s", (_, given) => {
    expect(() => load(folderWith(given))).toThrow(BadSetting);
    expect(() => load(folderWith(given))).toThrow(/notifications.*planwright\.json/);
  });
});
