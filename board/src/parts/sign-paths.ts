// The shapes of the signs as paths, for the canvas: the same as those of the page.

import type { SignName, Tone } from "./sign.js";

export interface SignPaths {
  readonly tone: Tone;
  readonly fill: string;
  readonly stroke: string;
  /** Drawn over the fill, in the colour of the surface. */
  readonly over: string;
}

const DISC = "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Z";
const RING = "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8Z";
const paths = (tone: Tone, fill: string, stroke = "", over = ""): SignPaths => ({ tone, fill, stroke, over });

const PATHS: Readonly<Record<SignName, SignPaths>> = {
  planned: paths("wait", "", RING),
  pending: paths("wait", "", RING),
  blocked: paths("wait", "M3 3h10v10H3Z"),
  ready: paths("move", "", "M8 1.7 14.3 8 8 14.3 1.7 8Z"),
  in_progress: paths("move", DISC, "", "M6.5 5.2 10.6 8l-4.1 2.800Z"),
  rejected: paths("stop", "M5.1 1h5.8L15 5.1v5.8L10.900 15H5.100L1 10.900V5.100Z", "", "M8 4.400v4.200M8 11.300v.300"),
  frozen: paths("frozen", "", "M8 1v14M2 4.500l12 7M14 4.500l-12 7M6 2l2 2 2-2M6 14l2-2 2 2"),
  done: paths("prove", DISC, "", "m4.900 8.300 2.100 2.100 4.200-4.600"),
  waived: paths("prove", "", `${RING}M4.800 8.600c1-1.600 2.200-1.600 3.200-.600s2.200 1 3.200-.600`),
  dropped: paths("wait", "", `${RING}M5 8h6`),
  skipped: paths("wait", "", `${RING}M5.200 10.800 10.800 5.200`),
  archived: paths("wait", "", "M2.500 3h11v3h-11ZM3.500 6v7h9V6M6.500 8.500h3"),
  ask: paths(
    "ask",
    "M2.600 1.500h10.800c.900 0 1.600.700 1.600 1.600v7c0 .900-.700 1.600-1.600 1.600H9.200L6 14.600v-2.900H2.600c-.900 0-1.600-.700-1.600-1.600v-7c0-.900.700-1.600 1.600-1.600Z",
    "",
    "M5.900 5a2.100 2.100 0 1 1 2.900 1.900c-.600.300-.800.500-.800 1M8 9.900v.100",
  ),
};

export const signPaths = (name: SignName): SignPaths => PATHS[name];
