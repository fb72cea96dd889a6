import { key } from "../kit/schema.js";

export const conflictId = () => key("conflict", "the conflict, such as CONFLICT-00001", "ID");
