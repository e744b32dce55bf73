import { rmSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabase } from '@nolo/kit/db';
import { testBacking, uniqueName } from '@nolo/testing';
import { openChildLogs, quiet } from '../../../scripts/childLog.ts';
import { projectRoot } from '../../../scripts/paths.ts';
import { silentProgress } from '../../../scripts/progress.ts';
import { startStack, type Stack, type StackOptions } from '../../../scripts/stack.ts';
import { buildWeb } from '../../../scripts/webBuild.ts';
import { environmentOfTests } from '../../support/testStack.ts';

export interface SharedStack {
  urls: string[];
  stack: Stack;
  /** The built web app that it serves, nobody else's to change. */
  webFolder: string;
  stop: () => Promise<void>;
}

/** Every service with the built web app in front, on the run's servers but with a database and prefixes of its own. */
export async function startSharedStack(
  options: Pick<StackOptions, 'media' | 'env' | 'gatewayModule' | 'transcription'> = {},
): Promise<SharedStack> {
  const backing = testBacking();
  const name = uniqueName('journeys');
  const home = await mkdtemp(join(tmpdir(), 'nolo-journeys-'));
  const forget = async () => {
    await dropDatabase(backing.databaseUrl, name);
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const webFolder = await ownWebFolder(home);
    const stack = await startStack({
      home,
      backing,
      database: name,
      template: backing.databaseTemplate,
      web: false,
      media: options.media ?? false,
      ...(options.transcription !== undefined && { transcription: options.transcription }),
      ...(options.gatewayModule !== undefined && { gatewayModule: options.gatewayModule }),
      environment: environmentOfTests(),
      env: { REDIS_PREFIX: name, NATS_PREFIX: name, WEB_DIR: webFolder, ...options.env },
    });
    let stopping: Promise<void> | undefined;
    return { urls: stack.urls, stack, webFolder, stop: () => (stopping ??= stack.stop().then(forget)) };
  } catch (error) {
    await forget();
    throw error;
  }
}

/** A copy of the build, so that the app can be replaced by a newer one, and rebuilt meanwhile. */
async function ownWebFolder(home: string): Promise<string> {
  const logs = openChildLogs(home);
  await buildWeb(silentProgress, logs.of('web', quiet));
  logs.close();
  const folder = join(home, 'web');
  await cp(join(projectRoot, 'web/dist'), folder, { recursive: true });
  return folder;
}
