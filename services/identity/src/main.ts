import { loadConfig } from '@nolo/kit/config';
import { runService } from '@nolo/kit/lifecycle';
import { startIdentity } from './app.ts';
import { configSchema } from './config.ts';

await runService({ name: 'identity', start: () => startIdentity(loadConfig(configSchema)) });
