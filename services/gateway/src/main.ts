import { runService } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runService({
  name: 'gateway',
  start: async () => {
    const config = readConfig();
    const app = createApp({ config, log: createLog({ service: 'gateway', level: config.LOG_LEVEL }) });
    return { ports: await app.start(), stop: app.stop };
  },
});
