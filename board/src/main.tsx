// Starts the page.

import { createRoot } from "react-dom/client";
import { start } from "./api/start.js";
import { App } from "./app.js";
import { startTheme } from "./frame/theme.js";
import "./styles/font.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/frame.css";
import "./styles/now.css";
import "./styles/plan.css";
import "./styles/panel.css";
import "./styles/views.css";
import "./styles/over.css";
import "./styles/narrow.css";
import "./styles/print.css";

startTheme();
start();
const root = document.getElementById("board");
if (root) createRoot(root).render(<App />);
