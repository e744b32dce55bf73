import { useStore } from 'zustand';
import { configStore } from './config.ts';

/** Returns true if plans are sold here. Without configured billing, nothing has a price (decisions 27 and 33). */
export function useArePlansSold(): boolean {
  return useStore(configStore, ({ config }) => config !== null && config.features['billing'] === true);
}
