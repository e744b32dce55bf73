import { serve } from '@nolo/kit/service';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await serve({
  name: 'gateway',
  readConfig,
  createApp,
  stopTimeoutMs: ({ DRAIN_SECONDS }) => (DRAIN_SECONDS + 5) * 1_000,
});
