import { ok } from "../../model/result.js";
import type { Store } from "../../store/store.js";

/** Every sentence of the log ends with these words, such as the client through which a person answered. */
export const saying = (store: Store, words: string): Store => ({
  ...store,
  commit: (intent, decide) =>
    store.commit(intent, async (writer) => {
      const decided = await decide(writer);
      if (!decided.ok) return decided;
      const { value } = decided;
      return ok({ ...value, sentence: `${value.sentence} (${words})` });
    }),
});
