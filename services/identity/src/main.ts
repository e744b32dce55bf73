import { loadConfig } from '@nolo/kit/config';
import { runServiceProcess } from '@nolo/kit/service';
import { createIdentityApp } from './app.ts';
import { configSchema } from './config.ts';

await runServiceProcess({ name: 'identity', readConfig: () => loadConfig(configSchema), createApp: createIdentityApp });
