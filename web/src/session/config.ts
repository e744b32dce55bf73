import type { Config } from '@nolo/api';
import { createStore } from 'zustand/vanilla';
import { request } from '../api/request.ts';
import { featureStore } from './features.ts';

/** What this installation is and can do; null until it has said so. */
export const configStore = createStore<{ config: Config | null }>(() => ({ config: null }));

/** What the device remembers, until the installation itself has said so. */
export function rememberConfig(config: Config): void {
  if (configStore.getState().config !== null) return;
  configStore.setState({ config });
  featureStore.getState().setFeatures(config.features);
}

let asked: Promise<Config | null> | undefined;

/**
 * Asks once and fills the feature store. Without an answer the app shows the least it can, and the
 * next caller asks again.
 */
export function loadConfig(): Promise<Config | null> {
  asked ??= request('/api/config', { method: 'GET' }, { silent: true })
    .then(async (reply) => {
      const config = (await reply.json()) as Config;
      configStore.setState({ config });
      featureStore.getState().setFeatures(config.features);
      return config;
    })
    .catch(() => {
      asked = undefined;
      return null;
    });
  return asked;
}
