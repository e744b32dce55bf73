import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import { pushKinds } from '@nolo/rules';
import type { PushSettings } from '../domain/push.ts';
import type { PushSettingsStore } from '../domain/pushPorts.ts';

interface SettingsRow {
  user_id: UserId;
  kinds: string[];
  preview: boolean;
  sound: boolean;
  vibration: boolean;
  quiet_from: number | null;
  quiet_to: number | null;
  quiet_zone: string | null;
}

const toSettings = (row: SettingsRow): PushSettings => ({
  kinds: pushKinds.filter((kind) => row.kinds.includes(kind)),
  preview: row.preview,
  sound: row.sound,
  vibration: row.vibration,
  quietHours:
    row.quiet_from === null || row.quiet_to === null || row.quiet_zone === null
      ? null
      : { fromMinute: row.quiet_from, toMinute: row.quiet_to, timeZone: row.quiet_zone },
});

export function createPushSettingsStore(db: Knex): PushSettingsStore {
  const settings = () => db<SettingsRow>('push_settings');
  return {
    async of(userIds) {
      const rows = userIds.length === 0 ? [] : await settings().whereIn('user_id', [...userIds]);
      return new Map(rows.map((row) => [row.user_id, toSettings(row)]));
    },
    anyWants: async (kind) => (await settings().whereRaw('? = any(kinds)', [kind]).first('user_id')) !== undefined,
    async put(userId, { kinds, quietHours, ...rest }) {
      await settings()
        .insert({
          user_id: userId,
          ...rest,
          kinds: [...kinds],
          quiet_from: quietHours?.fromMinute ?? null,
          quiet_to: quietHours?.toMinute ?? null,
          quiet_zone: quietHours?.timeZone ?? null,
        })
        .onConflict('user_id')
        .merge();
    },
  };
}
