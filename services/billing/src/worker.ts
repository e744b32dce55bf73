import { runServiceProcess } from '@nolo/kit/service';
import { createBillingWorker } from './app.ts';
import { readConfig } from './config.ts';

/**
 * Runs the worker, which processes notifications, captures and emails, and serves no RPCs. It scales with the queues.
 */
await runServiceProcess({ name: 'billing', readConfig, createApp: createBillingWorker });
