import { serve } from '@nolo/kit/service';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { publicAddress } from './linkSite.ts';

/*
 * The gateway as it is, but for one thing that no setting can change: links lead to this machine and nowhere else, so
 * that whoever tests a whole Nolo has pages of their own to link to.
 */
await serve({
  name: 'gateway',
  readConfig,
  createApp: (options) =>
    createApp({
      ...options,
      links: {
        guard: {
          resolveHost: () => Promise.resolve([]),
          addressAllowed: (address) => address === publicAddress,
          portAllowed: () => true,
        },
      },
    }),
  stopTimeoutMs: ({ DRAIN_SECONDS }) => (DRAIN_SECONDS + 5) * 1_000,
});
