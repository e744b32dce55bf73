import { runServiceProcess } from '@nolo/kit/service';
import { createTranscriberApp } from './app.ts';
import { readConfig } from './config.ts';

await runServiceProcess({ name: 'transcriber', readConfig, createApp: createTranscriberApp });
