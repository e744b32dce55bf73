import { loadConfig } from '@nolo/kit/config';
import { runServiceProcess } from '@nolo/kit/service';
import { createChatApp } from './app.ts';
import { configSchema } from './config.ts';

await runServiceProcess({ name: 'chat', readConfig: () => loadConfig(configSchema), createApp: createChatApp });
