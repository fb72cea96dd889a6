import { harmless } from "../text/harmless.js";

export const shown = (value: unknown): string => harmless(typeof value === "string" ? value : JSON.stringify(value));
