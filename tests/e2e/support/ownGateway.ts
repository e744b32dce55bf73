import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChildLogs, type ChildLogs } from '../../../scripts/childLog.ts';
import { startNodeChild } from '../../../scripts/childProcess.ts';
import { getBundledDependencyArguments } from '../../../scripts/dependencies/provideBundledDependencies.ts';
import { findFreePort } from '../../../scripts/ports.ts';
import { createServiceEnv } from '../../../scripts/serviceEnv.ts';
import type { Stack } from '../../../scripts/stack.ts';
import { superviseUnit, type Supervision } from '../../../scripts/supervisor.ts';

/** Data that other processes need to start a gateway for a Nolo. */
export interface GatewayStartData {
  around: Stack['around'];
  /** Environment of all its gateways. */
  env: Record<string, string>;
}

/** Environment variable with the shared house, as JSON. */
export const gatewayStartDataVariable = 'NOLO_JOURNEYS_HOUSE';

export interface OwnGateway {
  url: () => string;
  /** Returns the process, which this file may kill. */
  unit: () => Supervision;
  /** Returns the folder of the copy of the app that the gateway serves, for this file to change. */
  webFolder: () => string;
}

export interface OwnGatewayOptions {
  /** Module to run in place of the gateway's own, relative to the root of the checkout. */
  module?: string;
  env?: Record<string, string>;
}

/**
 * Starts a gateway of the file's own for the shared Nolo: a fifth of the cost of a whole Nolo, and enough for a test
 * that kills it or needs other settings.
 */
export function startOwnGateway(
  options: () => OwnGatewayOptions | Promise<OwnGatewayOptions> = () => ({}),
): OwnGateway {
  const home = mkdtempSync(join(tmpdir(), 'nolo-gateway-'));
  const webFolder = join(home, 'web');
  let url = '';
  let unit: Supervision | undefined;
  let logs: ChildLogs | undefined;

  beforeAll(async () => {
    const { around, env } = JSON.parse(process.env[gatewayStartDataVariable] ?? '') as GatewayStartData;
    const { module = 'services/gateway/src/main.ts', env: own } = await options();
    cpSync(env['WEB_DIR'] ?? '', webFolder, { recursive: true });
    const port = await findFreePort();
    url = `http://localhost:${port}`;
    const place = { port, publicUrl: url, metricsPort: await findFreePort() };
    const whole = { ...createServiceEnv('gateway', around, place), ...env, WEB_DIR: webFolder, ...own };
    const nodeArguments = getBundledDependencyArguments(around.dependencies);
    logs = openChildLogs(home);
    const log = logs.of('gateway');
    unit = superviseUnit(
      {
        name: 'gateway',
        log,
        launch: () => startNodeChild({ nodeArguments, module, env: whole, onLine: log.line, announcesReady: true }),
      },
      { onGiveUp: () => undefined, onNotice: () => undefined },
    );
    await unit.start();
  }, 120_000);
  afterAll(async () => {
    await unit?.stop();
    logs?.close();
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  return {
    url: () => url,
    unit() {
      if (unit === undefined) throw new Error('The gateway is not running yet.');
      return unit;
    },
    webFolder: () => webFolder,
  };
}
