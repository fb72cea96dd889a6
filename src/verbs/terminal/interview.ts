// The questions that `init` asks a person at a terminal. Loaded only then: nothing else needs prompts.

import { intro, isCancel, text } from "@clack/prompts";

export interface Wishes {
  readonly mission: string;
  readonly initiative?: string;
  readonly features: readonly string[];
}

const ask = async (message: string, placeholder: string, initial?: string): Promise<string | undefined> => {
  const answer = await text({
    message,
    placeholder,
    ...(initial === undefined ? {} : { defaultValue: initial }),
    output: process.stderr,
  });
  return isCancel(answer) ? undefined : (answer ?? "").trim();
};

/** Undefined if the person left in the middle. */
export async function interview(folder: string, name: string): Promise<Wishes | undefined> {
  intro(`A new plan in ${folder}`, { output: process.stderr });
  const mission = await ask("What is this project's goal?", name, name);
  if (mission === undefined) return undefined;
  const initiative = await ask("A first initiative, if there is one (Enter for none)", "none");
  if (initiative === undefined) return undefined;
  const features: string[] = [];
  for (;;) {
    const feature = await ask(
      features.length === 0 ? "A first feature (Enter for none)" : "Another (Enter to end)",
      "",
    );
    if (feature === undefined) return undefined;
    if (feature === "") return { mission, features, ...(initiative === "" ? {} : { initiative }) };
    features.push(feature);
  }
}
