import * as z from "zod/mini";
import * as content from "../kit/content.js";
import { node, optional } from "../kit/schema.js";

export const ends = {
  reference: node("the node"),
  on: optional(content.references("a node that it depends on")),
  files: optional(content.files("a file that it will touch")),
  symbols: optional(content.symbols("a symbol that it will touch")),
};

export const needsAnEnd = z.refine<object>(
  (given) => Object.keys(given).length > 1,
  "needs a node, a file or a symbol to link",
);
