/** Runs the worker of social-scheduler, with shorter intervals: many of them are killed here. */
import { serve } from '@nolo/kit/service';
import { createWorker } from '../../services/social-scheduler/src/app.ts';
import { readConfig } from '../../services/social-scheduler/src/config.ts';

const timing = { holdMs: 1_500, sweepEveryMs: 300, lookUpAfterMs: 1_000 };

await serve({ name: 'social-scheduler', readConfig, createApp: (options) => createWorker(options, timing) });
