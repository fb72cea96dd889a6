/** A text in which no character means anything but itself to `like`, with `\\` as its escape. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`);
