// Text from the plan or from a process must not steer whoever reads it.

// A terminal would obey the first ones; the others reorder what follows, and could make a title look like something else.
// oxlint-disable-next-line no-control-regex -- these are what it is about.
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text from the plan or from a process, made harmless for a terminal. */
export const harmless = (text: string): string => text.replace(HARMFUL, (found) => (found > "\u009f" ? "" : "\ufffd"));

/** The same inside a line of ours: what follows a line break in it is indented, so that it cannot pass for one. */
export const withinLine = (text: string): string => harmless(text.replace(/[\r\n\u2028\u2029]+/g, "\n  "));
