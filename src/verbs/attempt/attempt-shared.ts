import { key } from "../kit/schema.js";

export const attemptId = key("attempt", "the attempt, such as ATT-00001", "ID");
