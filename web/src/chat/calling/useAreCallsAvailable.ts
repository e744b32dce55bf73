import { useStore } from 'zustand';
import { browserSupport } from '../../device/browserSupport.ts';
import { featureStore } from '../../session/features.ts';

/** Returns true if calls are available here and this browser supports them (decisions 33 and 44). */
export function useAreCallsAvailable(): boolean {
  return useStore(featureStore, (state) => state.features['calls'] === true) && browserSupport.connect();
}
