/** Runs the worker of social-scheduler, with shorter intervals: many of them are killed here. */
import { runServiceProcess } from '@nolo/kit/service';
import { createSocialWorker } from '../../../services/social-scheduler/src/app.ts';
import { readConfig } from '../../../services/social-scheduler/src/config.ts';

const timing = { holdMs: 1_500, sweepEveryMs: 300, lookUpDelayMs: 1_000 };

await runServiceProcess({
  name: 'social-scheduler',
  readConfig,
  createApp: (options) => createSocialWorker(options, timing),
});
