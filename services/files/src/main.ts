import { loadConfig } from '@nolo/kit/config';
import { runServiceProcess } from '@nolo/kit/service';
import { createFilesApp } from './app.ts';
import { configSchema } from './config.ts';

await runServiceProcess({ name: 'files', readConfig: () => loadConfig(configSchema), createApp: createFilesApp });
