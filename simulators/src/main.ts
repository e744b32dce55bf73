import { loadConfig } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import { runService } from '@nolo/kit/lifecycle';
import { createSimulators } from './app.ts';
import { configSchema } from './config.ts';

await runService({
  name: 'simulators',
  start: async () => {
    const config = loadConfig(configSchema);
    const simulators = createSimulators({ config, log: createLog({ service: 'simulators', level: config.LOG_LEVEL }) });
    const { port } = await simulators.start();
    return { ports: { http: port }, stop: () => simulators.stop() };
  },
});
