import { loadConfig } from '@nolo/kit/config';
import { runServiceProcess } from '@nolo/kit/service';
import { createStatusApp } from './app.ts';
import { configSchema } from './config.ts';

await runServiceProcess({ name: 'status', readConfig: () => loadConfig(configSchema), createApp: createStatusApp });
