// Shows and sets how far the daemon may go, for the workspace and for each feature. Only a person raises it.

import { changeItem, createItem, type Item, type ItemChange } from "../../model/item/item.js";
import {
  DEFAULT_LEVEL,
  effectiveLevel,
  LEVELS,
  type Level,
  type LevelSetting,
  unsetLevel,
  WORKSPACE_LEVEL,
} from "../../model/item/level.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { Nr } from "../../model/node/node.js";
import { raisesLevel } from "../../model/operation/change.js";
import { ok, type Result, type ValueOf } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { actWithNumber, type Context } from "../base/context.js";
import { featureOf } from "../base/resolve.js";
import { colon } from "../node/branch.js";
import { requirePerson } from "../node/require-person.js";
import { isoTime } from "../node/view.js";
import { nameOfNode } from "../record/record-view.js";

export type LevelView = Awaited<ReturnType<typeof toLevelView>>;

export type LevelSet = ValueOf<ReturnType<typeof setLevel>>;

export interface LevelInput {
  readonly level: Level;
  /** A feature, or anything in it; left out, the workspace. */
  readonly in?: string;
  readonly reason?: string;
  /** The person was told that nothing confines workers, and said yes. */
  readonly unconfined?: boolean;
}

type Setting = Item<"level"> | undefined;

const levelIn = (item: Setting, key: string): Level => item?.fields.level ?? unsetLevel(key);

/** Tells the level that counts for each feature at one moment, or for what is in none. */
export async function readLevels(reader: Reader): Promise<(feature: Nr | null) => Level> {
  const items = await reader.items("level", {});
  const levels = new Map(items.map(({ key, fields }) => [key, fields.level]));
  const workspace = levels.get(WORKSPACE_LEVEL) ?? DEFAULT_LEVEL;
  return (feature) => effectiveLevel(workspace, feature === null ? undefined : levels.get(String(feature)));
}

export function readLevel(context: Context, input: { readonly in?: string } = {}): Promise<Result<LevelView>> {
  return context.store.read(async (reader) => {
    const key = await keyOf(reader, context, input.in);
    return key.ok ? ok(await toLevelView(reader, key.value)) : key;
  });
}

export function setLevel(context: Context, input: LevelInput) {
  const { level, reason = "" } = input;
  return actWithNumber(context, "level", async (writer, at) => {
    const key = await keyOf(writer, context, input.in);
    if (!key.ok) return key;
    const now = await writer.item("level", key.value);
    const was = levelIn(now, key.value);
    const setting: LevelSetting = { level, by: context.actor, at, reason, ...unconfinedIn(now, input) };
    // A level that is set already stays, with who set it.
    const changes = was === level ? [] : change(now, key.value, setting);
    const may = raisesLevel(changes) ? requirePerson(context.actor, "raise the level") : ok(undefined);
    if (!may.ok) return may;
    const view = await toLevelView(writer, key.value, changes.length === 0 ? now?.fields : setting);
    const whose = view.feature === null ? "the level" : `the level of ${view.feature}`;
    const despite = setting.unconfined ? ", without a sandbox" : "";
    const sentence = `${context.actor} set ${whose} from ${was} to ${level}${despite}${colon(reason || null)}`;
    return ok({ sentence, changes, value: { ...view, was } });
  });
}

/** A later level without it takes the permission back. */
const unconfinedIn = (
  now: Setting,
  { unconfined = false }: Pick<LevelInput, "unconfined">,
): Pick<LevelSetting, "unconfined"> => (unconfined || now?.fields.unconfined === true ? { unconfined } : {});

/** For any operation that sets a level. */
export const changeLevel = async (reader: Reader, key: string, setting: LevelSetting): Promise<ItemChange[]> => {
  const now = await reader.item("level", key);
  return change(now, key, { ...setting, ...unconfinedIn(now, {}) });
};

const change = (now: Setting, key: string, setting: LevelSetting): ItemChange[] =>
  now ? changeItem(now, setting) : [createItem("level", key, setting)];

async function keyOf(reader: Reader, context: Context, feature: string | undefined): Promise<Result<string>> {
  if (feature === undefined) return ok(WORKSPACE_LEVEL);
  const nr = await featureOf(reader, context, feature);
  return nr.ok ? ok(String(nr.value)) : nr;
}

const toSettingView = (key: string, setting: LevelSetting | undefined, workspace: Level) => {
  const level = setting?.level ?? unsetLevel(key);
  return {
    level,
    /** The lower of the workspace's and its own. */
    effective: key === WORKSPACE_LEVEL ? level : effectiveLevel(workspace, level),
    by: setting?.by ?? null,
    at: setting ? isoTime(setting.at) : null,
    reason: setting?.reason || null,
    /** A person allowed `auto` although nothing confines workers. */
    ...(setting?.unconfined && { unconfined: true as const }),
  };
};

/** The workspace also lists the features that have their own level. `coming`: what the operation is about to write, if it does. */
async function toLevelView(reader: Reader, key: string, coming?: LevelSetting) {
  const items = await reader.items("level", {});
  const settings = new Map(items.map((item) => [item.key, item.fields]));
  if (coming) settings.set(key, coming);
  const workspace = settings.get(WORKSPACE_LEVEL)?.level ?? DEFAULT_LEVEL;
  const own = toSettingView(key, settings.get(key), workspace);
  if (key !== WORKSPACE_LEVEL) {
    const feature = await nameOfNode(reader, Number(key));
    return { feature, ...own, features: [], next: othersThan(own.level, { in: feature }) };
  }
  settings.delete(WORKSPACE_LEVEL);
  const features: (ReturnType<typeof toSettingView> & { id: string })[] = [];
  for (const [nr, setting] of settings) {
    features.push({ id: await nameOfNode(reader, Number(nr)), ...toSettingView(nr, setting, workspace) });
  }
  return { feature: null, ...own, features, next: othersThan(own.level, {}) };
}

const othersThan = (level: Level, where: { readonly in?: string }): NextStep[] =>
  LEVELS.filter((each) => each !== level).map((each) => step("level", { level: each, ...where }));
