import { loadConfig } from '@nolo/kit/config';
import { runService } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { startTracing } from '@nolo/kit/tracing';
import { createApp } from './app.ts';
import { configSchema } from './config.ts';

await runService({
  name: 'meetings',
  start: async () => {
    const config = loadConfig(configSchema);
    const log = createLog({ service: 'meetings', level: config.LOG_LEVEL });
    const endTracing = await startTracing({ service: 'meetings', config, log });
    const app = createApp({ config, log });
    const stop = async () => {
      await app.stop();
      await endTracing();
    };
    return { ports: await app.start(), stop };
  },
});
