import { runService } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { startTracing } from '@nolo/kit/tracing';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runService({
  name: 'transcriber',
  start: async () => {
    const config = readConfig();
    const log = createLog({ service: 'transcriber', level: config.LOG_LEVEL });
    const endTracing = await startTracing({ service: 'transcriber', config, log });
    const app = createApp({ config, log });
    const stop = async () => {
      await app.stop();
      await endTracing();
    };
    return { ports: await app.start(), stop };
  },
});
