import { createServiceEnv } from '../../scripts/serviceEnv.ts';
import { sharedStackVariable, startTestStack } from '../support/stacks/testStack.ts';

/** Starts one Nolo for all files that do not need their own. Its users are strangers to each other. */
export default async function globalSetup() {
  const running = await startTestStack({
    gateways: 2,
    media: 1,
    transcription: true,
    webhooks: true,
    social: true,
    // Webhook receivers and push services are on this machine.
    env: { MEDIA_WORKERS: '1', WEBHOOK_NETWORKS: '127.0.0.0/8', PUSH_NETWORKS: '127.0.0.0/8' },
  });
  globalThis.noloTestStack = running;
  process.env[sharedStackVariable] = JSON.stringify({
    name: running.name,
    home: running.home,
    adminEnv: { ...createServiceEnv('identity', running.stack.around, { metricsPort: 0 }), REDIS_PREFIX: running.name },
    gatewayAdminEnv: {
      ...createServiceEnv('gateway', running.stack.around, { metricsPort: 0 }),
      REDIS_PREFIX: running.name,
    },
    urls: running.urls,
    simulatorsUrl: running.stack.simulatorsUrl,
    pids: Object.fromEntries(['gateway', 'files'].map((name) => [name, running.stack.service(name).pid])),
  });
}
