import { ConfigError } from '../config.ts';
import { createLog, type Log } from '../telemetry/log.ts';

export type StopFunction = () => Promise<void> | void;

export interface StopStack {
  /** Adds a stop function. The last one added runs first. */
  push(name: string, stop: StopFunction): void;
  /**
   * Runs all stop functions. Idempotent: every call returns the same promise. A failing function does not prevent the
   * others.
   */
  stop(): Promise<void>;
}

export function createStopStack(log?: Log): StopStack {
  const entries: { name: string; stop: StopFunction }[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = async () => {
    for (let entry = entries.pop(); entry; entry = entries.pop()) {
      try {
        await entry.stop();
      } catch (error) {
        log?.error({ err: error, component: entry.name }, 'stopping failed');
      }
    }
  };
  return {
    push: (name, stop) => void entries.push({ name, stop }),
    stop: () => (stopping ??= stopAll()),
  };
}

export interface RunningService {
  stop: StopFunction;
  /** Ports to report to the supervisor, which may have requested port 0. */
  ports?: Readonly<Record<string, number>>;
  /** Maximum duration of a stop before the process exits anyway. Default: 10 s. */
  stopTimeoutMs?: number;
}

export interface RunServiceOptions {
  name: string;
  start: () => Promise<RunningService>;
  log?: Log;
}

/** Exit status from sysexits.h for a wrong configuration, which a restart without a change cannot fix. */
const wrongConfiguration = 78;

/**
 * Runs a process from start to stop: starts it, notifies the supervisor, waits for a reason to exit, and stops it.
 *
 * A closed IPC channel is such a reason: the supervisor is gone, however it ended, and a surviving child would hold
 * ports and data. A second signal exits immediately, for an operator who does not want to wait. An uncaught error exits
 * too: the process's state is unknown then, and the supervisor starts a clean one.
 */
export async function runService(options: RunServiceOptions): Promise<void> {
  const log = options.log ?? createLog({ service: options.name });
  let running: RunningService | undefined;
  let leaving = false;

  const exit = (status: number) => {
    // Logs are written asynchronously, and the last line explains the exit.
    log.flush(() => process.exit(status));
    setTimeout(() => process.exit(status), 500).unref();
  };

  const leave = (why: string, status: number) => {
    if (leaving) return exit(1);
    leaving = true;
    log.info({ why }, 'stopping');
    setTimeout(() => {
      log.error('shutdown timed out');
      exit(1);
    }, running?.stopTimeoutMs ?? 10_000).unref();
    void (async () => {
      try {
        await running?.stop();
        log.info('stopped');
        exit(status);
      } catch (error) {
        log.error({ err: error }, 'stopping failed');
        exit(1);
      }
    })();
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(signal, 0));
  process.on('disconnect', () => leave('the supervisor is gone', 0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event);
      if (!leaving) leave(event, 1);
    });
  }

  try {
    running = await options.start();
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${options.name} cannot start:\n${error.sentences.map((line) => `  ${line}\n`).join('')}`);
      return exit(wrongConfiguration);
    }
    log.fatal({ err: error }, 'starting failed');
    return exit(1);
  }
  // A signal during startup found nothing to stop yet.
  if (leaving) {
    await running.stop();
    return;
  }
  log.info({ ports: running.ports }, 'ready');
  process.send?.({ type: 'ready', ports: running.ports ?? {} });
}
