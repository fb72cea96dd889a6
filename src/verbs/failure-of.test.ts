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

  it.each([systemError("EINVAL"), new Error("oops"), "oops"])("is a bug otherwise: %s", (error) => {
    expect(failureOf(error)).toMatchObject({ ok: false, error: { kind: "bug", reason: "bug" } });
  });
});
