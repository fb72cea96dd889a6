// The longest path of what is left: a mark of the graph that its button in the head of the page sets.

import { signal, useSignal } from "../api/signal.js";
import { Button } from "../parts/button.js";
import { Line } from "../parts/sign.js";

export const longestPath = signal(true);

export function LongestPathButton() {
  const on = useSignal(longestPath);
  return (
    <Button pressed={on} onClick={() => longestPath.set(!on)}>
      <Line name="thread" size={14} /> Longest path
    </Button>
  );
}
