import { serve } from '@nolo/kit/service';
import { createWorker } from './app.ts';
import { readConfig } from './config.ts';

/** Sends what is due, and takes no calls: as many of them as the queue needs. */
await serve({ name: 'notifications', readConfig, createApp: createWorker });
