/** Billing as it takes calls, or its worker where that is asked for, with less timing: many of their kind die here. */
import { serve } from '@nolo/kit/service';
import { createApp, createWorker } from '../../services/billing/src/app.ts';
import { readConfig } from '../../services/billing/src/config.ts';

const timing = { holdMs: 1_500, sweepEveryMs: 300 };

await serve({
  name: 'billing',
  readConfig,
  createApp: (options) => (options.config.BILLING_WORKS ? createWorker(options, timing) : createApp(options)),
});
