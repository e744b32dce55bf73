import { useStore } from 'zustand';
import { configStore } from './config.ts';

/** Whether plans are sold here. Where billing is off, or not set up, nothing has a price (decisions 27 and 33). */
export function useSells(): boolean {
  return useStore(configStore, ({ config }) => config !== null && config.features['billing'] === true);
}
