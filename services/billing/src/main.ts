import { loadConfig } from '@nolo/kit/config';
import { serve } from '@nolo/kit/service';
import { createApp } from './app.ts';
import { configSchema } from './config.ts';

await serve({ name: 'billing', readConfig: () => loadConfig(configSchema), createApp });
