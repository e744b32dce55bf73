import type { Config } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import { request } from '../api/request.ts';
import { featureStore } from './features.ts';

/** Configuration and features of this installation. Null until loaded. */
export const configStore = createStore<{ config: Config | null }>(() => ({ config: null }));

/** Applies the config stored on the device, until the installation's own arrives. */
export function applyStoredConfig(config: Config): void {
  if (configStore.getState().config !== null) return;
  configStore.setState({ config });
  featureStore.getState().setFeatures(config.features);
}

let configPromise: Promise<Config | null> | undefined;

/**
 * Loads the config once and fills the feature store. Without a response, the app shows the minimum, and the next caller
 * retries.
 */
export function loadConfig(): Promise<Config | null> {
  configPromise ??= requestConfig().catch(() => {
    configPromise = undefined;
    return null;
  });
  return configPromise;
}

async function requestConfig(): Promise<Config> {
  const reply = await request('/api/config', { method: 'GET' }, { silent: true });
  const config = (await reply.json()) as Config;
  configStore.setState({ config });
  featureStore.getState().setFeatures(config.features);
  return config;
}

/** Milliseconds over which all clients that receive the change spread their requests. */
const spreadMs = 2_000;
let reloading: ReturnType<typeof setTimeout> | undefined;

/** Reloads the config after a change frame. Without a response, the known config stays. */
export function handleConfigFrame({ type }: { type: string }): void {
  if (type !== 'config_changed') return;
  reloading ??= setTimeout(() => {
    reloading = undefined;
    requestConfig().catch(() => undefined);
  }, Math.random() * spreadMs);
}
