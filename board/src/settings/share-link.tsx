// A new address for another browser of yours: good for one use within ten minutes.

import { useState } from "react";
import { post, request } from "../api/client.js";
import { Button, copy } from "../parts/button.js";

export function ShareLink() {
  const [failure, setFailure] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    const { answer } = await request<{ readonly address: string }>("/api/session/address", post({}));
    if (!answer.ok) return setFailure(answer.error.message);
    setFailure(null);
    await copy(answer.data.address);
  };
  return (
    <div className="acts">
      <Button onClick={() => void make()}>Copy an address for another browser</Button>
      <span className="hint">{failure ?? "Good for one use within 10 minutes, on this machine."}</span>
    </div>
  );
}
