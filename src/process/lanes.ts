// Small shells for short commands: as many as there are commands at once, each used again while nobody else speaks into it.

import { descendantsOf, killEach } from "./group.js";
import { holdsAny } from "./holders.js";
import { Lane, type LaneResult } from "./lane.js";
import { lastPid } from "./newer.js";
import type { Line } from "./told.js";

export interface ShortResult extends Omit<LaneResult, "began"> {
  readonly endedBy: "itself" | "timeout";
}

export class Lanes {
  readonly #env: NodeJS.ProcessEnv;
  readonly #free: Lane[] = [];

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** Undefined if it is certain that the command did not begin. */
  async run(
    line: Line,
    { keep, timeoutMs }: { readonly keep: number; readonly timeoutMs: number },
  ): Promise<ShortResult | undefined> {
    const lane = this.#take();
    if (!lane) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((done) => {
      timer = setTimeout(() => done(undefined), timeoutMs);
    });
    const [started, last] = [performance.now(), lastPid()];
    const result = await Promise.race([lane.run(line, { keep }), late]);
    clearTimeout(timer);
    if (!result) {
      killEach(descendantsOf(lane.pid));
      lane.end();
      return { endedBy: "timeout", code: null, ...lane.heard() };
    }
    const since = { last, sinceMs: performance.now() - started, but: lane.pid };
    if (lane.isFit && !holdsAny(lane.streams, since)) this.#free.push(lane);
    else lane.end();
    return result.began ? { ...result, endedBy: "itself" } : undefined;
  }

  #take(): Lane | undefined {
    for (let lane = this.#free.pop(); lane; lane = this.#free.pop()) {
      if (lane.isFit) return lane;
      lane.end();
    }
    return Lane.start(this.#env);
  }
}
