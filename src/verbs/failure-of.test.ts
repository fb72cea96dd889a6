import { describe, expect, it } from "vitest";
import { failureOf } from "./app.js";

const systemError = (code: string): Error => Object.assign(new Error(`${code}: no, open '/plan'`), { code });

describe("what was thrown", () => {
  it.each([
    ["ENOSPC", "disk-full"],
    ["EDQUOT", "disk-full"],
    ["EROFS", "read-only"],
    ["EACCES", "read-only"],
  ])("is no bug if the system said %s", (code, reason) => {
    const failed = failureOf(systemError(code));
    expect(failed).toMatchObject({ ok: false, error: { kind: "refused", reason } });
  });

  it.each([
    ["sha1 file '/repo/.git/index.lock' write error. Out of diskspace", "disk-full"],
    ["git cannot write a tree: unable to write file: No space left on device", "disk-full"],
    ["error: insufficient permission for adding an object to repository database .git/objects", "read-only"],
    ["could not lock config file .git/config: Read-only file system", "read-only"],
  ])("is no bug if git said: %s", (message, reason) => {
    expect(failureOf(new Error(message))).toMatchObject({ ok: false, error: { kind: "refused", reason } });
  });

  it.each([systemError("EINVAL"), new Error("oops"), "oops"])("is a bug otherwise: %s", (error) => {
    expect(failureOf(error)).toMatchObject({ ok: false, error: { kind: "bug", reason: "bug" } });
  });
});
