/** Runs billing's call process, or its worker if requested, with shorter intervals: many of them are killed here. */
import { serve } from '@nolo/kit/service';
import { createApp, createWorker } from '../../services/billing/src/app.ts';
import { readConfig } from '../../services/billing/src/config.ts';

const timing = { holdMs: 1_500, sweepEveryMs: 300 };

await serve({
  name: 'billing',
  readConfig,
  createApp: (options) => (options.config.BILLING_WORKS ? createWorker(options, timing) : createApp(options)),
});
