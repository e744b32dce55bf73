import { runServiceProcess } from '@nolo/kit/service';
import { createSocialApp } from './app.ts';
import { readConfig } from './config.ts';

await runServiceProcess({ name: 'social-scheduler', readConfig, createApp: createSocialApp });
