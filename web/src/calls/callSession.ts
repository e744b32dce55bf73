import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { CallMedia } from './media/CallMedia.ts';
import type { LocalDevices } from '../meetings/room/media/LocalDevices.ts';
import type { LiveCall } from './model/callPhase.ts';
import type { CallEngine } from './model/callEngine.ts';

interface CallSession {
  engine: CallEngine | null;
  media: CallMedia | null;
  devices: LocalDevices | null;
}

/** Calls of the signed-in user, stored by CallLayer and shown by the call's screen. */
export const callSession = createStore<CallSession>(() => ({
  engine: null,
  media: null,
  devices: null,
}));

const nobody = createStore<{ live: LiveCall | null }>(() => ({ live: null }));

export function useCallEngine(): CallEngine | null {
  return useStore(callSession, (state) => state.engine);
}

export function useLiveCall(): LiveCall | null {
  const engine = useCallEngine();
  return useStore(engine?.store ?? nobody, (state) => state.live);
}

export function useCallMedia(): CallMedia | null {
  return useStore(callSession, (state) => state.media);
}

export function callPath(id: string, type: 'audio' | 'video'): string {
  return `/meeting/${id}?type=${type === 'audio' ? 'voice' : 'video'}`;
}
