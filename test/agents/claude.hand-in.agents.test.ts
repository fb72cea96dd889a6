import { realHandIn } from "./real-hand-in.js";

realHandIn("claude");
