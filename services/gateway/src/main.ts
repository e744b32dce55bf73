import { runServiceProcess } from '@nolo/kit/service';
import { createGatewayApp } from './app.ts';
import { readConfig } from './config.ts';

await runServiceProcess({
  name: 'gateway',
  readConfig,
  createApp: createGatewayApp,
  stopTimeoutMs: ({ DRAIN_SECONDS }) => (DRAIN_SECONDS + 5) * 1_000,
});
