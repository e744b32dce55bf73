import { runServiceProcess } from '@nolo/kit/service';
import { createGatewayApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { publicAddress } from './linkSite.ts';

/*
 * Runs the real gateway with one change that no setting allows: links lead only to this machine, so tests of a complete
 * Nolo have their own pages to link to.
 */
await runServiceProcess({
  name: 'gateway',
  readConfig,
  createApp: (options) =>
    createGatewayApp({
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
