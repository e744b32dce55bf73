import { runServiceProcess } from '@nolo/kit/service';
import { createNotificationsApp } from './app.ts';
import { readConfig } from './config.ts';

await runServiceProcess({ name: 'notifications', readConfig, createApp: createNotificationsApp });
