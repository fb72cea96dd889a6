import type { Plugin } from "vite";

export const verbFacts: Plugin;
