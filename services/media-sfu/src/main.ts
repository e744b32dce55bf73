import { loadConfig } from '@nolo/kit/config';
import { runService } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { createApp } from './app.ts';
import { configSchema, drainMsOf } from './config.ts';

await runService({
  name: 'media-sfu',
  start: async () => {
    const config = loadConfig(configSchema);
    const log = createLog({ service: 'media-sfu', level: config.LOG_LEVEL });
    const app = createApp({ config, log });
    // The participants move to other nodes before this one is stopped.
    return { ports: await app.start(), stop: () => app.stop(), stopTimeoutMs: drainMsOf(config) + 10_000 };
  },
});
