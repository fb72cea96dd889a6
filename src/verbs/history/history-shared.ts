import * as z from "zod/mini";
import { field } from "../kit/schema.js";

const DIGITS = /^\d{1,15}$/;

/** `12` or `"12"`. */
export const operationNumber = (help: string) =>
  field(
    z.pipe(
      z.transform((value: number | string) =>
        typeof value === "string" && DIGITS.test(value) ? Number(value) : value,
      ),
      z.int().check(z.minimum(1)),
    ),
    { help, label: "OP" },
  );
