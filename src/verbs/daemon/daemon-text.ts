interface Running {
  readonly pid: number;
  readonly startedAt: string;
  readonly log: string | null;
}

export const describeDaemon = ({ pid, startedAt, log }: Running): string =>
  `process ${pid}, since ${startedAt}, ${log === null ? "in a terminal" : `log ${log}`}`;
