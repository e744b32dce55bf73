import { loadConfig } from '@nolo/kit/config';
import { serve } from '@nolo/kit/service';
import { createApp } from './app.ts';
import { configSchema, drainMsOf } from './config.ts';

await serve({
  name: 'media-sfu',
  readConfig: () => loadConfig(configSchema),
  createApp,
  // Participants move to other nodes before this one stops.
  stopTimeoutMs: (config) => drainMsOf(config) + 10_000,
});
