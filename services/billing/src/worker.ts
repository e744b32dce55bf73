import { serve } from '@nolo/kit/service';
import { createWorker } from './app.ts';
import { readConfig } from './config.ts';

/**
 * Runs the worker, which processes notifications, captures and emails, and serves no RPCs. It scales with the queues.
 */
await serve({ name: 'billing', readConfig, createApp: createWorker });
