import { rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabase } from '@nolo/kit/db';
import { readTestServerAddresses, createUniqueName } from '@nolo/testing';
import { openChildLogs, noLogPattern } from '../../../scripts/childLog.ts';
import { projectRoot } from '../../../scripts/paths.ts';
import { silentProgress } from '../../../scripts/progress.ts';
import { startStack, type Stack, type StackOptions } from '../../../scripts/stack.ts';
import { buildWeb } from '../../../scripts/webBuild.ts';
import { getTestEnv } from '../../support/stacks/testStack.ts';
import type { GatewayStartData } from './ownGateway.ts';

export interface SharedStack {
  urls: string[];
  stack: Stack;
  /** Data to start a further gateway. */
  house: GatewayStartData;
  stop: () => Promise<void>;
}

/**
 * Starts every service with the built web app in front, on the run's servers but with its own database and prefixes.
 */
export async function startSharedStack(
  options: Pick<StackOptions, 'media' | 'env' | 'gatewayModule' | 'transcription' | 'webhooks'> & {
    /** Starts a second gateway, whose app has the service worker of `withLightWorker`. */
    light?: boolean;
  } = {},
): Promise<SharedStack> {
  const backing = readTestServerAddresses();
  const name = createUniqueName('journeys');
  const home = await mkdtemp(join(tmpdir(), 'nolo-journeys-'));
  const forget = async () => {
    await dropDatabase(backing.databaseUrl, name);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const webFolder = await ownWebFolder(home);
    const light = options.light === true ? [{ env: { WEB_DIR: await withLightWorker(webFolder) } }] : [];
    const env = { REDIS_PREFIX: name, NATS_PREFIX: name, WEB_DIR: webFolder, ...options.env };
    const stack = await startStack({
      home,
      backing,
      database: name,
      template: backing.databaseTemplate,
      web: false,
      media: options.media ?? false,
      replicas: { gateway: [{}, ...light] },
      ...(options.transcription !== undefined && { transcription: options.transcription }),
      webhooks: options.webhooks ?? false,
      ...(options.gatewayModule !== undefined && { gatewayModule: options.gatewayModule }),
      environment: getTestEnv(),
      env,
    });
    let stopping: Promise<void> | undefined;
    return {
      urls: stack.urls,
      stack,
      house: { around: stack.around, env },
      stop: () => (stopping ??= stack.stop().then(forget)),
    };
  } catch (error) {
    await forget();
    throw error;
  }
}

/** Copies the build, so that the app can be replaced by a newer one, and rebuilt meanwhile. */
async function ownWebFolder(home: string): Promise<string> {
  const logs = openChildLogs(home);
  await buildWeb(silentProgress, logs.of('web', noLogPattern));
  logs.close();
  const folder = join(home, 'web');
  await cp(join(projectRoot, 'web/dist'), folder, { recursive: true });
  return folder;
}

/** Precache list that a build writes into its service worker: everything to fetch and store at installation. */
const precached = /\[\{"revision":[^\]]*\]/;

/**
 * Copies the app with a service worker that stores only the first screen and takes everything else from the server.
 * Storing all of it for each window costs as much time as everything else in a short story.
 */
async function withLightWorker(webFolder: string): Promise<string> {
  const folder = `${webFolder}-light`;
  await cp(webFolder, folder, { recursive: true });
  const script = join(folder, 'serviceWorker.js');
  const [text, first] = await Promise.all([readFile(script, 'utf8'), readFile(join(folder, 'index.html'), 'utf8')]);
  const all = precached.exec(text)?.[0] ?? '[]';
  const kept = (JSON.parse(all) as { url: string }[]).filter(({ url }) => url === 'index.html' || first.includes(url));
  if (kept.length < 2)
    throw new Error('The service worker of the build precaches nothing that the first screen needs.');
  await writeFile(
    script,
    text.replace(all, () => JSON.stringify(kept)),
  );
  return folder;
}
