import { runServiceProcess } from '@nolo/kit/service';
import { createSocialWorker } from './app.ts';
import { readConfig } from './config.ts';

/** Publishes what is due and serves no RPCs. Run as many workers as the queue needs. */
await runServiceProcess({ name: 'social-scheduler', readConfig, createApp: createSocialWorker });
