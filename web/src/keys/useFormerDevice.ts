import type { KeyDevice } from '@nolo/client/keys/types';
import { useSessions } from '../api/queries.ts';
import { useKeysState } from './useKeys.ts';

/**
 * Returns the device that this browser was before it lost its keys: that of its session. It leaves when the browser
 * comes back, because a session has one device.
 */
export function useFormerDevice(): KeyDevice | undefined {
  const { state } = useKeysState();
  const { data: sessions } = useSessions();
  const session = sessions?.find(({ current }) => current);
  if (session === undefined || state === null || state.phase.name === 'ready') return undefined;
  return state.devices.find(({ sessionId }) => sessionId === session.id);
}

/** Returns the lost devices with the former one. */
export const withFormer = (lost: readonly string[], former: KeyDevice | undefined): readonly string[] =>
  former === undefined ? lost : [...lost, former.id];
