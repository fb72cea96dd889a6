// Small things that many views show.

import { type ReactNode, useEffect, useState } from "react";
import { signal, useSignal } from "../api/signal.js";
import { ago, exact } from "./words.js";

const now = signal(Date.now());
setInterval(() => now.set(Date.now()), 15_000);

/** When the moment was that the page shows; null for now, and until it is known. */
export const shownMoment = signal<number | null>(null);

/** Now, or the moment that the page shows: the ages of what it shows are of then. */
export function useNow(): number {
  const today = useSignal(now);
  return useSignal(shownMoment) ?? today;
}

/** Now, whatever the page shows. */
export const useToday = (): number => useSignal(now);

/** Every second, for what is measured while you watch. */
export function useSeconds(): number {
  const [at, setAt] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setAt(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return useSignal(shownMoment) ?? at;
}

export function Age({ since, before = false }: { readonly since: string | null; readonly before?: boolean }) {
  const at = useNow();
  if (since === null) return null;
  const time = Date.parse(since);
  const words = ago(time, at);
  return (
    <time className="age" dateTime={since} title={exact(time)}>
      {before ? (words === "now" ? "just now" : `${words} ago`) : words}
    </time>
  );
}

export function Bar({
  done,
  of,
  tone = "prove",
}: {
  readonly done: number;
  readonly of: number;
  readonly tone?: string;
}) {
  return (
    <>
      <span className="bar" role="img" aria-label={`${done} of ${of} finished`}>
        <i className={tone} style={{ width: `${of === 0 ? 0 : (100 * done) / of}%` }} />
      </span>
      <span className="num" aria-hidden="true">
        {done}/{of}
      </span>
    </>
  );
}

export function Actor({ name }: { readonly name: string }) {
  return <span className={`actor ${name.split(":")[0] ?? ""}`}>{name}</span>;
}

export function Heading({
  title,
  count,
  children,
}: {
  readonly title: string;
  readonly count?: number | string | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <header className="sec">
      <h2>{title}</h2>
      {count !== undefined && <span className="count">{count}</span>}
      <span className="grow" />
      {children}
    </header>
  );
}

export function PageHead({
  title,
  children,
  tools,
}: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly tools?: ReactNode;
}) {
  return (
    <header className="top">
      <div className="heading">
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      <div className="tools">{tools}</div>
    </header>
  );
}
