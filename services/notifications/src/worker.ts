import { runServiceProcess } from '@nolo/kit/service';
import { createNotificationsWorker } from './app.ts';
import { readConfig } from './config.ts';

/** Sends what is due and serves no RPCs. Run as many workers as the queue needs. */
await runServiceProcess({ name: 'notifications', readConfig, createApp: createNotificationsWorker });
