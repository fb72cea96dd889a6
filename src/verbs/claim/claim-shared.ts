import { filled, number, optional } from "../kit/schema.js";

export const token = () =>
  optional(filled("the token that came with the claim; you can leave it out for your own claims", "TOKEN"));

export const leaseMinutes = () =>
  optional(number("how long the claim lasts unless it is renewed", 0.001, 100_000, "MINUTES"));
