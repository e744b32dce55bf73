import type { KeysPhase, KeysState } from '@nolo/client/keys/types';
import { createStore } from 'zustand/vanilla';
import type { KeysClient } from './keysProtocol.ts';

/** Keys of the signed-in account on this device. All null until they are started. */
export interface KeysStoreState {
  readonly phase: KeysPhase;
  readonly state: KeysState | null;
  readonly keys: KeysClient | null;
  /** True once a screen needs the keys, so that they start without waiting for an idle moment. */
  readonly wanted: boolean;
}

export const noKeys: KeysStoreState = { phase: { name: 'loading' }, state: null, keys: null, wanted: false };

export const keysStore = createStore<KeysStoreState>(() => noKeys);

/** Starts the keys soon, because a screen shows them. */
export const wantKeys = (): void => keysStore.setState({ wanted: true });

/** Returns true if signing out of this device ends the account's identity: nothing else could bring its keys back. */
export function isLastWithKeys({ phase, devices, recovery }: KeysState): boolean {
  if (phase.name !== 'ready' || recovery.isSet) return false;
  return devices.every(({ current, kind, suspendedAt }) => current || kind === 2 || suspendedAt !== null);
}
