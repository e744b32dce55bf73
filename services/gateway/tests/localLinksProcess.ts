import { runService } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { publicAddress } from './linkSite.ts';

/*
 * The gateway as it is, but for one thing that no setting can change: links lead to this machine and nowhere else, so
 * that whoever tests a whole Nolo has pages of their own to link to.
 */
await runService({
  name: 'gateway',
  start: async () => {
    const config = readConfig();
    const app = createApp({
      config,
      log: createLog({ service: 'gateway', level: config.LOG_LEVEL }),
      links: {
        guard: {
          resolveHost: () => Promise.resolve([]),
          addressAllowed: (address) => address === publicAddress,
          portAllowed: () => true,
        },
      },
    });
    return { ports: await app.start(), stop: () => app.stop(), stopTimeoutMs: (config.DRAIN_SECONDS + 5) * 1_000 };
  },
});
