import { useStore } from 'zustand';
import { browserSupport } from '../device/browserSupport.ts';
import { featureStore } from '../session/features.ts';

/** Returns true if the installation has meetings and this browser supports them (decisions 33 and 44). */
export function useAreMeetingsAvailable(): boolean {
  return useStore(featureStore, (state) => state.features['meetings'] === true) && browserSupport.connect();
}
