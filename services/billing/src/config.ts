import { commonConfig, eventLogConfig, listen } from '@nolo/kit/config';
import { z } from 'zod';

/** Keyed by the names in the environment; `.env.example` is held against it by a test. */
export const configSchema = z.object({
  ...commonConfig,
  ...eventLogConfig,
  IDENTITY_ADDR: listen().describe('Where the identity service takes calls, as host:port.'),
});

export type BillingConfig = Readonly<z.output<typeof configSchema>>;
