// The camera over the graph: drag, wheel and buttons move it; it is drawn again once per frame. Zooming changes what a node shows,
// not how large its words are: only signs seen from afar become smaller.

import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { useSignal } from "../api/signal.js";
import { theme } from "../frame/theme.js";
import { drawGraph } from "./draw.js";
import {
  type Camera,
  DETAILS,
  type Detail,
  fit,
  laneHeadAt,
  nearestTo,
  nodeAt,
  opening,
  type Placed,
  type PlacedNode,
  zoomAt,
} from "./geometry.js";
import type { Marks, Palette, Pull } from "./sheet.js";

const palette = (): Palette => {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (token) => {
    const colour = known.get(token) ?? style.getPropertyValue(token).trim();
    known.set(token, colour);
    return colour;
  };
};

export interface CanvasActions {
  readonly select: (id: string) => void;
  readonly toggle: (lane: string | null) => void;
  readonly setDetail: (detail: Detail) => void;
  /** Makes a dependency; undefined where nothing may change. */
  readonly link: ((first: string, then: string) => void) | undefined;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Film {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly camera: RefObject<Camera | null>;
  readonly pull: RefObject<Pull | null>;
  /** A node that stays where it is on the screen while the detail changes. */
  readonly anchor: RefObject<(Point & { readonly id: string }) | null>;
  /** The next picture shows everything. */
  readonly whole: RefObject<boolean>;
  readonly draw: () => void;
  readonly move: (next: Camera) => void;
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } => ({
  width: clientWidth,
  height: clientHeight,
});

/** Never so far that nothing of the plan is in view. */
function kept(
  { x, y, zoom }: Camera,
  placed: Placed,
  view: { readonly width: number; readonly height: number },
): Camera {
  const within = (at: number, size: number, room: number): number => {
    const least = Math.min(0, room - size * zoom - 24);
    return Math.max(least, Math.min(0, at));
  };
  return { zoom, x: within(x, placed.width, view.width), y: within(y, placed.height, view.height) };
}

/** Draws the last state, at most once per frame. */
function useFilm(placed: Placed, marks: Marks): Film {
  const canvas = useRef<HTMLCanvasElement>(null);
  const camera = useRef<Camera | null>(null);
  const pull = useRef<Pull | null>(null);
  const anchor: Film["anchor"] = useRef(null);
  const whole = useRef(false);
  const last = useRef({ placed, marks });
  last.current = { placed, marks };
  const frame = useRef(0);
  const draw = (): void => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const element = canvas.current;
      if (!element) return;
      const now = last.current;
      const stays = now.placed.nodes.find(({ node }) => node.id === anchor.current?.id);
      if (stays && anchor.current)
        camera.current = { zoom: 1, x: anchor.current.x - stays.x, y: anchor.current.y - stays.y };
      anchor.current = null;
      if (whole.current && now.placed.detail === "far") camera.current = fit(now.placed, sizeOf(element));
      whole.current = false;
      camera.current ??= opening(now.placed, element.clientWidth);
      camera.current = kept(camera.current, now.placed, sizeOf(element));
      drawGraph(element, { ...now, camera: camera.current, pull: pull.current }, palette());
    });
  };
  const move = (next: Camera): void => {
    camera.current = next;
    draw();
  };
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return { canvas, camera, pull, anchor, whole, draw, move };
}

/** Nearer or farther around a point. */
function useZoom({ canvas, camera, anchor, move }: Film, placed: Placed, setDetail: CanvasActions["setDetail"]) {
  return (factor: number, at?: Point): void => {
    const element = canvas.current;
    const now = camera.current;
    if (!element || !now) return;
    const point = at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    const level = DETAILS.indexOf(placed.detail);
    if (placed.detail === "far" && (factor < 1 || now.zoom < 1)) return move(zoomAt(now, factor, point));
    const next = DETAILS[level + (factor > 1 ? 1 : -1)];
    if (next === undefined) return;
    const near = nearestTo(placed, (point.x - now.x) / now.zoom, (point.y - now.y) / now.zoom);
    anchor.current = near ? { id: near.node.id, x: near.x * now.zoom + now.x, y: near.y * now.zoom + now.y } : null;
    setDetail(next);
  };
}

/** So much of the wheel is one step of detail. */
const WHEEL_STEP = 60;

/** The wheel pans, and zooms with Ctrl; a new size or font draws again. */
function useSurroundings({ canvas, camera, draw, move }: Film, zoom: (factor: number, at?: Point) => void): void {
  const shownTheme = useSignal(theme);
  const zoomNow = useRef(zoom);
  zoomNow.current = zoom;
  useEffect(draw);
  useEffect(draw, [shownTheme]);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    let turned = 0;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const now = camera.current;
      if (!now) return;
      if (!event.ctrlKey && !event.metaKey) return move({ ...now, x: now.x - event.deltaX, y: now.y - event.deltaY });
      turned += event.deltaY;
      if (Math.abs(turned) < WHEEL_STEP) return;
      zoomNow.current(turned < 0 ? 1.25 : 0.8, { x: event.offsetX, y: event.offsetY });
      turned = 0;
    };
    element.addEventListener("wheel", wheel, { passive: false });
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    void document.fonts.ready.then(draw);
    return () => {
      element.removeEventListener("wheel", wheel);
      sizes.disconnect();
    };
  }, []);
}

/** A press that moves less than this is a click. */
const CLICK = 4;

interface Pressed extends Point {
  readonly camera: Camera;
  readonly node: PlacedNode | undefined;
  moved: boolean;
}

export interface PointerHandlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
}

/** A drag from a node draws a dependency, a drag from anywhere else moves the plan, and the rest are clicks. */
function usePointer(film: Film, placed: Placed, { select, toggle, link }: CanvasActions): PointerHandlers {
  const { camera, pull, move, draw } = film;
  const pressed = useRef<Pressed | null>(null);
  const world = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): Point => {
    const { x, y, zoom } = camera.current ?? { x: 0, y: 0, zoom: 1 };
    return { x: (offsetX - x) / zoom, y: (offsetY - y) / zoom };
  };
  const under = ({ x, y }: Point): PlacedNode | undefined => nodeAt(placed, x, y);
  const click = (at: Point): void => {
    const node = under(at);
    const lane = node ? undefined : laneHeadAt(placed, at.x, at.y);
    if (node) select(node.node.id);
    else if (lane) toggle(lane.id);
  };
  return {
    onPointerDown: (event) => {
      if (!camera.current || event.button !== 0) return;
      const node = link ? under(world(event)) : undefined;
      pressed.current = { x: event.clientX, y: event.clientY, camera: camera.current, node, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      const start = pressed.current;
      if (!start) return;
      const [byX, byY] = [event.clientX - start.x, event.clientY - start.y];
      start.moved ||= Math.abs(byX) + Math.abs(byY) > CLICK;
      if (!start.moved) return;
      if (!start.node) return move({ ...start.camera, x: start.camera.x + byX, y: start.camera.y + byY });
      const at = world(event);
      pull.current = { from: start.node, ...at, over: under(at) };
      draw();
    },
    onPointerUp: (event) => {
      const start = pressed.current;
      const target = pull.current?.over;
      pressed.current = null;
      pull.current = null;
      draw();
      if (start?.moved === false) click(world(event));
      else if (start?.node && target && target !== start.node) link?.(start.node.node.id, target.node.id);
    },
  };
}

/** Moves the camera only as far as needed. */
function revealNode(id: string, placed: Placed, { camera, canvas, move }: Film): void {
  const node = placed.nodes.find((each) => each.node.id === id);
  const [now, element] = [camera.current, canvas.current];
  if (!node || !now || !element) return;
  const [left, top] = [node.x * now.zoom + now.x, node.y * now.zoom + now.y];
  const inside = (at: number, size: number, room: number, least: number): number =>
    at < least ? least - at : at + size > room - 20 ? room - 20 - at - size : 0;
  const byX = inside(left, node.width * now.zoom, element.clientWidth, 20);
  const byY = inside(top, node.height * now.zoom, element.clientHeight, 80);
  if (byX !== 0 || byY !== 0) move({ ...now, x: now.x + byX, y: now.y + byY });
}

export function useCanvas(placed: Placed, marks: Marks, actions: CanvasActions) {
  const film = useFilm(placed, marks);
  const zoom = useZoom(film, placed, actions.setDetail);
  useSurroundings(film, zoom);
  return {
    canvas: film.canvas,
    handlers: usePointer(film, placed, actions),
    zoomIn: () => zoom(1.25),
    zoomOut: () => zoom(0.8),
    /** Forgets where the camera was and shows everything. */
    restart: () => {
      film.camera.current = null;
      film.whole.current = true;
      film.draw();
    },
    reveal: (id: string) => revealNode(id, placed, film),
  };
}
