import { join } from 'node:path';
import { startBackingServices } from './backingServices.ts';
import { enableAdminCommands } from './admin.ts';
import { openChildLogs } from './childLog.ts';
import { lockInstance } from './instanceLock.ts';
import type { Interruption } from './interruption.ts';
import { isMediaOnLoopback } from './mediaAddressEnv.ts';
import {
  provideMediaWorkerInBackground,
  type MediaWorkerBackgroundTask,
} from './mediaWorker/provideMediaWorkerInBackground.ts';
import { isLoopback, type LauncherOptions } from './launcherOptions.ts';
import { findListenError } from './ports.ts';
import { createConsoleProgress } from './progress.ts';
import { CommandError } from './commandError.ts';
import { startStack } from './stack.ts';

/** Runs `npm start`: starts everything and keeps it up until it is ended. Returns the exit code. */
export async function startInstance(options: LauncherOptions, interruption: Interruption): Promise<number> {
  const began = performance.now();
  const progress = createConsoleProgress(process.stdout);
  const unlock = lockInstance(options.home, 'another npm start');
  let media: MediaWorkerBackgroundTask | undefined;
  try {
    await refuseBusyPort(options);
    if (!isLoopback(options.host)) {
      progress.warn(
        `HOST is ${options.host}: in demo mode, anyone who reaches this machine can sign in as anyone with a code that everyone knows. Use it only on a network you trust and with no real data.`,
      );
    }
    const logs = openChildLogs(options.home, (line) => process.stdout.write(`${line}\n`));
    interruption.before(() => {
      logs.mute();
    });
    let failed: (reason: CommandError) => void = () => undefined;
    const givenUp = new Promise<CommandError>((resolve) => {
      failed = resolve;
    });
    const watch = {
      logs,
      progress,
      onGiveUp: failed,
      onNotice: (line: string) => {
        if (!interruption.requested) progress.warn(line);
      },
    };

    const backing = await startBackingServices({ home: options.home, ...watch });
    const stack = await startStack({
      home: options.home,
      backing,
      host: options.host,
      port: options.port,
      billing: process.env['BILLING'] !== 'off',
      webhooks: process.env['WEBHOOKS'] !== 'off',
      publicUrl: process.env['PUBLIC_URL'] || `http://localhost:${String(options.port)}`,
      // Browsers share a host's cookies between its ports, so two instances would sign each other out.
      environment:
        options.port === 8080
          ? process.env
          : { SESSION_COOKIE: `nolo_session_${String(options.port)}`, ...process.env },
      ...watch,
    }).catch(async (error: unknown) => {
      logs.mute();
      await backing.stop();
      throw error;
    });
    const closeAdmin = enableAdminCommands(options.home, stack.around);
    const url = stack.urls[0] ?? '';
    process.stdout.write(`\nNolo is ready at ${url} (${((performance.now() - began) / 1000).toFixed(1)} s)\n`);
    process.stdout.write(await signInHint(options, stack.simulatorsUrl));
    process.stdout.write(`  Stop it with Ctrl-C or npm stop. The full logs are in ${join(options.home, 'logs')}.\n\n`);
    logs.showAll();
    // Building the worker takes minutes the first time, and everything except calls and meetings works without it.
    media = provideMediaWorkerInBackground(progress, async (worker) => {
      await stack.startMedia(worker);
      progress.print(`Calls and meetings: media-sfu ready (worker ${worker.origin}).`);
      if (isMediaOnLoopback({ ...options, environment: process.env })) {
        progress.warn(
          'Calls and meetings need Chromium here: this machine has no network address, and Firefox sends no media over loopback.',
        );
      }
    });

    interruption.handled = true;
    const reason = await Promise.race([givenUp, interruption.happened]);
    logs.mute();
    media.forget();
    if (reason instanceof CommandError) process.stderr.write(`\n${reason.message}\n`);
    process.stdout.write('Stopping.\n');
    closeAdmin();
    await stack.stop();
    await backing.stop();
    logs.close();
    return reason instanceof CommandError ? 1 : 0;
  } finally {
    media?.forget();
    await interruption.cleanUp();
    await media?.ended;
    unlock();
  }
}

async function refuseBusyPort(options: LauncherOptions): Promise<void> {
  const problem = await findListenError(options.port, options.host);
  if (problem === undefined) return;
  const port = String(options.port);
  if (problem === 'EADDRINUSE') {
    throw new CommandError(
      `Port ${port} is in use by another program. Stop it, or choose another port: "PORT=${options.port === 8080 ? '8081' : '8080'} npm start".`,
    );
  }
  if (problem === 'EACCES') {
    throw new CommandError(`This user may not listen on port ${port}. Choose one from 1024 up.`);
  }
  throw new CommandError(`HOST is ${options.host}, but this machine cannot listen there (${problem}).`);
}

/** Returns how to sign in, as the gateway itself describes it to clients. */
async function signInHint(options: LauncherOptions, simulatorsUrl: string): Promise<string> {
  const host = isLoopback(options.host) ? options.host : '127.0.0.1';
  try {
    const address = host.includes(':') ? `[${host}]` : host;
    const response = await fetch(`http://${address}:${String(options.port)}/api/config`, {
      signal: AbortSignal.timeout(5000),
    });
    const config = (await response.json()) as { demoCode?: string };
    if (config.demoCode === undefined) return '';
    return (
      `  Sign in with any mobile number and the code ${config.demoCode}, or through the simulated provider.\n` +
      `  Text messages and emails that would have been sent: ${simulatorsUrl}/outbox\n`
    );
  } catch {
    return '';
  }
}
