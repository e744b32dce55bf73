import { loadConfig } from '@nolo/kit/config';
import { runService } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { startTracing } from '@nolo/kit/tracing';
import { startIdentity } from './app.ts';
import { configSchema } from './config.ts';

await runService({
  name: 'identity',
  start: async () => {
    const config = loadConfig(configSchema);
    const log = createLog({ service: 'identity', level: config.LOG_LEVEL });
    const endTracing = await startTracing({ service: 'identity', config, log });
    const { ports, stop } = await startIdentity(config, { log });
    return {
      ports,
      stop: async () => {
        await stop();
        await endTracing();
      },
    };
  },
});
