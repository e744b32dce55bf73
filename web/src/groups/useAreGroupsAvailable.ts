import { useStore } from 'zustand';
import { featureStore } from '../session/features.ts';

export function useAreGroupsAvailable(): boolean {
  return useStore(featureStore, (state) => state.features['groups'] === true);
}
