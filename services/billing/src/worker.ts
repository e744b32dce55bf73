import { serve } from '@nolo/kit/service';
import { createWorker } from './app.ts';
import { readConfig } from './config.ts';

/** Works off notifications, captures and mail, and takes no calls: as many of them as the queues need. */
await serve({ name: 'billing', readConfig, createApp: createWorker });
