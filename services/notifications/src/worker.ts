import { serve } from '@nolo/kit/service';
import { createWorker } from './app.ts';
import { readConfig } from './config.ts';

/** Sends what is due and serves no RPCs. Run as many workers as the queue needs. */
await serve({ name: 'notifications', readConfig, createApp: createWorker });
