import { harmless } from "../text/harmless.js";
import type { ConflictHistory } from "./list.js";

export const placesIn = ({ files, symbols }: Pick<ConflictHistory, "files" | "symbols">): string =>
  harmless((symbols.length > 0 ? symbols : files).join(", "));
