// Tells people what happened, over the channels that they chose. A channel that fails never disturbs what carries the
// plan out; it is said once, until it works again.

import { messageOf } from "../../base/errors.js";
import type { NewsView } from "../../plan/news/read-news.js";
import { commandEnvironment, type Environment, environmentFor } from "../process/environment.js";
import { notifyCommand } from "./command.js";
import { notifyDesktop } from "./desktop.js";
import type { Announcement } from "./message.js";
import { notifyWebhook, type Webhook } from "./webhook.js";

export interface NotifierSettings {
  readonly bell: boolean;
  readonly desktop: boolean;
  readonly webhook: Webhook | null;
  readonly command: string | readonly string[] | null;
  readonly news: readonly string[];
}

export interface NotifierContext {
  /** Rings the terminal's bell: only an interface may write to a terminal. */
  readonly ring: () => void;
  /** Says that a channel does not work. */
  readonly note: (text: string) => void;
  /** Of the program. What desktop and command see of it is chosen. */
  readonly env: Environment;
  /** Names of variables that the command may see in addition to the common ones. */
  readonly named: readonly string[];
  readonly root: string;
}

export interface Notifier {
  /** Settles when every channel is done. It never fails. */
  readonly send: (news: readonly NewsView[]) => Promise<void>;
}

type Channel = (announcement: Announcement) => Promise<void>;

export function notifier(settings: NotifierSettings, bystanders: NotifierContext): Notifier {
  const channels = channelsOf(settings, bystanders);
  const failing = new Set<string>();
  const tell = async (name: string, channel: Channel, announcement: Announcement): Promise<void> => {
    try {
      await channel(announcement);
      failing.delete(name);
    } catch (error) {
      if (failing.has(name)) return;
      failing.add(name);
      bystanders.note(`The ${name} could not send the news: ${messageOf(error)}`);
    }
  };
  return {
    send: async (news) => {
      const wanted = news.filter(({ kind }) => settings.news.includes(kind));
      if (wanted.length === 0) return;
      const announcement = { workspace: bystanders.root, news: wanted };
      await Promise.all([...channels].map(([name, channel]) => tell(name, channel, announcement)));
    },
  };
}

/** Where a desktop listens. */
const DESKTOP = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"];

function channelsOf(settings: NotifierSettings, { ring, env, named, root }: NotifierContext): Map<string, Channel> {
  const channels = new Map<string, Channel>();
  const { webhook, command } = settings;
  if (settings.bell) channels.set("bell", async () => ring());
  if (settings.desktop) {
    const place = { env: environmentFor(env, DESKTOP), cwd: root };
    channels.set("desktop", (announcement) => notifyDesktop(announcement, place));
  }
  if (webhook) channels.set("webhook", (announcement) => notifyWebhook(announcement, webhook));
  if (command !== null) {
    const place = { env: commandEnvironment(env, named), cwd: root };
    channels.set("command", (announcement) => notifyCommand(announcement, command, place));
  }
  return channels;
}
