import { useStore } from 'zustand';
import { can } from '../../device/abilities.ts';
import { featureStore } from '../../session/features.ts';

/** Whether there are calls here at all, and this browser can take part in them (decisions 33 and 44). */
export function useCallsExist(): boolean {
  return useStore(featureStore, (state) => state.features['calls'] === true) && can.connect();
}
