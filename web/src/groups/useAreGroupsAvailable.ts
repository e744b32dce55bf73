import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';

/** Returns true if this installation has groups. */
export function useAreGroupsAvailable(): boolean {
  return useStore(featureStore, (state) => state.features['groups'] === true);
}
