import { serve } from '@nolo/kit/service';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await serve({ name: 'notifications', readConfig, createApp });
