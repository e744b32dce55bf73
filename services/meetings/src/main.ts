import { loadConfig } from '@nolo/kit/config';
import { runServiceProcess } from '@nolo/kit/service';
import { createMeetingsApp } from './app.ts';
import { configSchema } from './config.ts';

await runServiceProcess({ name: 'meetings', readConfig: () => loadConfig(configSchema), createApp: createMeetingsApp });
