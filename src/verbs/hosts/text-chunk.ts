// One insertion into somebody else's file. It is remembered as text, so that taking it out again leaves the file as it was, byte for
// byte, wherever else it was changed since.

export interface Chunk {
  /** The text as it was put in. */
  readonly inserted: string;
}

export interface Inserted {
  readonly text: string;
  readonly chunk: Chunk;
}

export const insertAt = (text: string, offset: number, inserted: string): Inserted => ({
  text: text.slice(0, offset) + inserted + text.slice(offset),
  chunk: { inserted },
});

/** Undefined if it is not there as it was put in, or more than once. */
export function takeOut(text: string, { inserted }: Chunk): string | undefined {
  const at = text.indexOf(inserted);
  if (inserted === "" || at < 0 || text.indexOf(inserted, at + 1) >= 0) return undefined;
  return text.slice(0, at) + text.slice(at + inserted.length);
}

/** As the file ends its lines. */
export const lineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
