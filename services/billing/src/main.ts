import { runServiceProcess } from '@nolo/kit/service';
import { createBillingApp } from './app.ts';
import { readConfig } from './config.ts';

await runServiceProcess({ name: 'billing', readConfig, createApp: createBillingApp });
