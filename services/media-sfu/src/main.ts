import { loadConfig } from '@nolo/kit/config';
import { runServiceProcess } from '@nolo/kit/service';
import { createMediaApp } from './app.ts';
import { configSchema, drainMsOf } from './config.ts';

await runServiceProcess({
  name: 'media-sfu',
  readConfig: () => loadConfig(configSchema),
  createApp: createMediaApp,
  // Participants move to other nodes before this one stops.
  stopTimeoutMs: (config) => drainMsOf(config) + 10_000,
});
