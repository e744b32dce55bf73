import { pushKinds, pushLimits, type PushKind } from '@nolo/rules';
import { createNotificationsError } from '../errors.ts';
import type { PushSettings, QuietHours } from './push.ts';

/** Default kinds. Excludes status updates, which are numerous and need no reply. */
export const defaultPushKinds: readonly PushKind[] = pushKinds.filter((kind) => kind !== 'statuses');

/** Default settings. */
export const defaultPushSettings: PushSettings = {
  kinds: defaultPushKinds,
  preview: true,
  sound: true,
  vibration: true,
  quietHours: null,
};

const zoned = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });

/** @throws AppError quiet_hours_invalid */
export function parseQuietHours(hours: {
  fromMinute?: number | undefined;
  toMinute?: number | undefined;
  timeZone?: string | undefined;
}): QuietHours {
  const { fromMinute = -1, toMinute = -1, timeZone = '' } = hours;
  const isMinute = (minute: number) => minute >= 0 && minute < pushLimits.minutesPerDay;
  const invalid = () => createNotificationsError('invalid', 'quiet_hours_invalid', 'Enter valid hours.');
  if (!isMinute(fromMinute) || !isMinute(toMinute) || fromMinute === toMinute || timeZone.length > 64) throw invalid();
  try {
    zoned(timeZone);
  } catch {
    throw invalid();
  }
  return { fromMinute, toMinute, timeZone };
}

/** Returns whether it is quiet at this time. The start is inclusive, the end exclusive. */
export function isQuiet(hours: QuietHours | null, at: Date): boolean {
  if (!hours) return false;
  const { fromMinute, toMinute, timeZone } = hours;
  const timeFields = Object.fromEntries(
    zoned(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const minute = Number(timeFields['hour']) * 60 + Number(timeFields['minute']);
  return fromMinute < toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute;
}
