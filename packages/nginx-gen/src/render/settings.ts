// Directives that settings become by themselves, by the block they stand in.

import type { ConfigNode } from '../config/node.ts'
import type { Setting, SettingPlace } from '../settings/define.ts'
import { type Settings, settings as table } from '../settings/registry.ts'

/** The directives of every setting of one place, in registry order. */
export function renderSettingsOf(place: SettingPlace, settings: Settings): readonly ConfigNode[] {
  return Object.entries(table).flatMap(([key, definition]) => {
    const setting = definition as Setting<unknown>
    return setting.place === place ? (setting.render?.(settings[key as keyof Settings]) ?? []) : []
  })
}
