import type { Session } from '@nolo/api';
import type { KeyDevice } from '@nolo/client/keys/types';

/** Row of the list of devices: a session, a device with keys, or both. */
export interface DeviceRow {
  readonly id: string;
  readonly session: Session | null;
  readonly device: KeyDevice | null;
  readonly current: boolean;
}

/**
 * Joins sessions with the devices that have keys, the current one first, then those with a session. Access tokens are
 * listed elsewhere.
 */
export function toDeviceRows(sessions: readonly Session[], devices: readonly KeyDevice[]): DeviceRow[] {
  const own = devices.filter(({ kind }) => kind !== 2);
  const withSession = sessions.map((session): DeviceRow => {
    const device = own.find(({ sessionId }) => sessionId === session.id) ?? null;
    return { id: session.id, session, device, current: session.current };
  });
  const joined = new Set(withSession.map(({ device }) => device?.id));
  const without = own
    .filter(({ id }) => !joined.has(id))
    .map((device): DeviceRow => ({ id: device.id, session: null, device, current: device.current }));
  return [...withSession.toSorted((a, b) => Number(b.current) - Number(a.current)), ...without];
}
