import type { SubscriptionView } from "../../plan/news/subscribe.js";
import type { Style } from "../kit/style.js";

export const subscriptionLine = ({ id, target, news }: SubscriptionView, style: Style): string =>
  `${style.bold(id)}  ${target ?? "workspace"}  ${style.dim(news.join(", "))}`;
