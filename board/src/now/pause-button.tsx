// Pauses everything, or lets it begin again: the level of the workspace, one click away.

import { act } from "../api/act.js";
import { useRead } from "../api/reads.js";
import type { Step } from "../api/types.js";
import { useKeys } from "../frame/keys.js";
import { AskingButton, Button } from "../parts/button.js";
import { useMayAct } from "../parts/step-button.js";

export function PauseButton() {
  const { data } = useRead("level.show", {});
  const mayAct = useMayAct();
  const to = (level: string): Step | undefined => data?.next.find(({ input }) => input["level"] === level);
  const [off, on] = [to("off"), to("on")];
  const set = (step: Step, done: string): void => void act("level", step.input, done);
  const pause = (): void => off && set(off, "Paused. What runs goes on to its end.");
  useKeys(mayAct && off ? { p: pause } : {});
  if (!mayAct || !data) return null;
  if (off) {
    return (
      <Button k="p" onClick={pause} command={off.command}>
        Pause all
      </Button>
    );
  }
  if (!on) return null;
  return (
    <AskingButton
      k="p"
      listens
      command={on.command}
      question="Let the daemon build what is approved"
      onClick={() => set(on, "The level is on.")}
    >
      Begin …
    </AskingButton>
  );
}
