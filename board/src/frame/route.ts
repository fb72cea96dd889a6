// Where the page is. Links and keys change the address; everything else follows from it.

import type { MouseEvent } from "react";
import { signal, useSignal } from "../api/signal.js";
import { addressOf, type Place, placeOfId, readPlace } from "./address.js";

const here = (): Place => readPlace(location.pathname, location.search);

export const place = signal<Place>(here());
export const usePlace = (): Place => useSignal(place);
export const useMoment = (): number | null => usePlace().at;

window.addEventListener("popstate", () => place.set(here()));

export const hrefTo = (to: Partial<Place>): string => addressOf({ ...place.get(), ...to });

export function go(to: Partial<Place>, options: { readonly replace?: boolean } = {}): void {
  const next = { ...place.get(), ...to };
  const address = addressOf(next);
  if (address === location.pathname + location.search) return;
  if (options.replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.set(next);
}

export const openId = (id: string): void => go(placeOfId(id, place.get()));

/** For links: a plain click stays in the page, every other click is the browser's. */
export const linkTo = (
  to: Partial<Place>,
): { readonly href: string; readonly onClick: (event: MouseEvent) => void } => ({
  href: hrefTo(to),
  onClick: (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
  },
});
