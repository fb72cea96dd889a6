// The camera over the graph: drag, wheel and buttons move it; it is drawn again once per frame.

import { type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { useSignal } from "../api/signal.js";
import { theme } from "../frame/theme.js";
import { drawGraph, type Marks, type Palette } from "./draw.js";
import { type Camera, fit, laneHeadAt, nodeAt, type Placed, zoomAt } from "./geometry.js";

const palette = (): Palette => {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return (token) => {
    const colour = known.get(token) ?? style.getPropertyValue(token).trim();
    known.set(token, colour);
    return colour;
  };
};

interface Actions {
  readonly select: (id: string) => void;
  readonly toggle: (lane: string | null) => void;
}

interface CanvasTools {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fitAll: () => void;
  readonly reveal: (id: string) => void;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
  };
}

/** A press that moves less than this is a click. */
const CLICK = 4;

interface Film {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly camera: RefObject<Camera | null>;
  readonly draw: () => void;
  readonly move: (next: Camera) => void;
  readonly zoom: (factor: number, at?: { readonly x: number; readonly y: number }) => void;
}

/** Draws the last state, at most once per frame. */
function useFilm(placed: Placed, marks: Marks): Film {
  const canvas = useRef<HTMLCanvasElement>(null);
  const camera = useRef<Camera | null>(null);
  const last = useRef({ placed, marks });
  last.current = { placed, marks };
  const frame = useRef(0);
  const draw = (): void => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => {
      const element = canvas.current;
      if (!element) return;
      camera.current ??= fit(last.current.placed, { width: element.clientWidth, height: element.clientHeight });
      drawGraph(element, last.current.placed, camera.current, palette(), last.current.marks);
    });
  };
  const move = (next: Camera): void => {
    camera.current = next;
    draw();
  };
  const zoom: Film["zoom"] = (factor, at) => {
    const element = canvas.current;
    if (!element || !camera.current) return;
    move(zoomAt(camera.current, factor, at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 }));
  };
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return { canvas, camera, draw, move, zoom };
}

/** The wheel pans, and zooms with Ctrl; a new size or font draws again. */
function useSurroundings({ canvas, camera, draw, move, zoom }: Film): void {
  const shownTheme = useSignal(theme);
  useEffect(draw);
  useEffect(draw, [shownTheme]);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const now = camera.current;
      if (!now) return;
      if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY / 300), { x: event.offsetX, y: event.offsetY });
      else move({ ...now, x: now.x - event.deltaX, y: now.y - event.deltaY });
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

function usePointer({ camera, move }: Film, click: (x: number, y: number) => void): CanvasTools["handlers"] {
  const pressed = useRef<{ x: number; y: number; camera: Camera; moved: boolean } | null>(null);
  return {
    onPointerDown: (event) => {
      if (camera.current)
        pressed.current = { x: event.clientX, y: event.clientY, camera: camera.current, moved: false };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ clientX, clientY }) => {
      const start = pressed.current;
      if (!start) return;
      const [byX, byY] = [clientX - start.x, clientY - start.y];
      start.moved ||= Math.abs(byX) + Math.abs(byY) > CLICK;
      if (start.moved) move({ ...start.camera, x: start.camera.x + byX, y: start.camera.y + byY });
    },
    onPointerUp: ({ nativeEvent: { offsetX, offsetY } }) => {
      const wasClick = pressed.current?.moved === false;
      pressed.current = null;
      if (wasClick) click(offsetX, offsetY);
    },
  };
}

export function useCanvas(placed: Placed, marks: Marks, actions: Actions): CanvasTools {
  const film = useFilm(placed, marks);
  const { canvas, camera, move, zoom } = film;
  useSurroundings(film);
  const handlers = usePointer(film, (x, y) => {
    const now = camera.current;
    if (!now) return;
    const [worldX, worldY] = [(x - now.x) / now.zoom, (y - now.y) / now.zoom];
    const node = nodeAt(placed, worldX, worldY);
    const lane = node ? undefined : laneHeadAt(placed, worldX, worldY);
    if (node) actions.select(node.node.id);
    else if (lane) actions.toggle(lane.id);
  });
  return {
    canvas,
    handlers,
    zoomIn: () => zoom(1.25),
    zoomOut: () => zoom(0.8),
    fitAll: () => {
      const element = canvas.current;
      if (element) move(fit(placed, { width: element.clientWidth, height: element.clientHeight }));
    },
    reveal: (id) => revealNode(id, placed, camera.current, canvas.current, move),
  };
}

/** Moves the camera only as far as needed. */
function revealNode(
  id: string,
  placed: Placed,
  camera: Camera | null,
  element: HTMLCanvasElement | null,
  move: (camera: Camera) => void,
): void {
  const node = placed.nodes.find((each) => each.node.id === id);
  if (!node || !camera || !element) return;
  const [left, top] = [node.x * camera.zoom + camera.x, node.y * camera.zoom + camera.y];
  const [width, height] = [node.width * camera.zoom, node.height * camera.zoom];
  const inside = (at: number, size: number, room: number): number =>
    at < 20 ? 20 - at : at + size > room - 20 ? room - 20 - at - size : 0;
  const byX = inside(left, width, element.clientWidth);
  const byY = inside(top, height, element.clientHeight);
  if (byX !== 0 || byY !== 0) move({ ...camera, x: camera.x + byX, y: camera.y + byY });
}
