import { realHandIn } from "./real-hand-in.js";

realHandIn("opencode");
