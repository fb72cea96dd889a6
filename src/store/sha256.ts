// SHA-256 of a text, in hex. The module is loaded at the first use: at start it would cost every command 5 ms.

export const sha256 = (text: string): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
