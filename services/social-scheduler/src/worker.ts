import { serve } from '@nolo/kit/service';
import { createWorker } from './app.ts';
import { readConfig } from './config.ts';

/** Publishes, and takes no calls: as many of them as the queue needs. */
await serve({ name: 'social-scheduler', readConfig, createApp: createWorker });
