import { useStore } from 'zustand';
import { featureStore } from '../../state/features.ts';

/** Whether there are calls here at all (decision 33). */
export function useCallsExist(): boolean {
  return useStore(featureStore, (state) => state.features['calls'] === true);
}
