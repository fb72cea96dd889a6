import type { ConflictHistory } from "../../actions/conflict/list-conflicts.js";
import { harmless } from "../text/harmless.js";

export const placesIn = ({ files, symbols }: Pick<ConflictHistory, "files" | "symbols">): string =>
  harmless((symbols.length > 0 ? symbols : files).join(", "));
