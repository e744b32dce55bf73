/** Runs billing's call process, or its worker if requested, with shorter intervals: many of them are killed here. */
import { runServiceProcess } from '@nolo/kit/service';
import { createBillingApp, createBillingWorker } from '../../../services/billing/src/app.ts';
import { readConfig } from '../../../services/billing/src/config.ts';

const timing = { holdMs: 1_500, sweepEveryMs: 300 };

await runServiceProcess({
  name: 'billing',
  readConfig,
  createApp: (options) =>
    options.config.BILLING_WORKS ? createBillingWorker(options, timing) : createBillingApp(options),
});
