// Light or dark: as the system says, until `t` says otherwise.

import { signal } from "../api/signal.js";

export type Theme = "light" | "dark";
const STORED = "planwright.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

const chosen = (): Theme | undefined => {
  const value = localStorage.getItem(STORED);
  return value === "light" || value === "dark" ? value : undefined;
};

export const theme = signal<Theme>("light");

function apply(): void {
  theme.set(chosen() ?? (system.matches ? "dark" : "light"));
  document.documentElement.dataset["theme"] = theme.get();
}

export function startTheme(): void {
  apply();
  system.addEventListener("change", apply);
}

export function switchTheme(): void {
  localStorage.setItem(STORED, theme.get() === "dark" ? "light" : "dark");
  apply();
}
