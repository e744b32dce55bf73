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
  asked ??= ask().catch(() => {
    asked = undefined;
    return null;
  });
  return asked;
}

async function ask(): Promise<Config> {
  const reply = await request('/api/config', { method: 'GET' }, { silent: true });
  const config = (await reply.json()) as Config;
  configStore.setState({ config });
  featureStore.getState().setFeatures(config.features);
  return config;
}

/** All who are told that it changed ask within so long, and not all at once. */
const spreadMs = 2_000;
let reloading: ReturnType<typeof setTimeout> | undefined;

/** Asks again where a frame says that it changed; without an answer what is known stays. */
export function hearConfig({ type }: { type: string }): void {
  if (type !== 'config_changed') return;
  reloading ??= setTimeout(() => {
    reloading = undefined;
    ask().catch(() => undefined);
  }, Math.random() * spreadMs);
}
