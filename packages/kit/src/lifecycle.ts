import { ConfigError } from './config.ts';
import { createLog, type Log } from './log.ts';

export type Stop = () => Promise<void> | void;

export interface StopStack {
  /** What was started last is stopped first. */
  push(name: string, stop: Stop): void;
  /** Idempotent: every call gets the same promise. One failing stop does not keep the others alive. */
  stop(): Promise<void>;
}

export function createStopStack(log?: Log): StopStack {
  const entries: { name: string; stop: Stop }[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = async () => {
    for (let entry = entries.pop(); entry; entry = entries.pop()) {
      try {
        await entry.stop();
      } catch (error) {
        log?.error({ err: error, part: entry.name }, 'stopping failed');
      }
    }
  };
  return {
    push: (name, stop) => void entries.push({ name, stop }),
    stop: () => (stopping ??= stopAll()),
  };
}

export interface RunningService {
  stop: Stop;
  /** Told to the supervisor, which may have asked for port 0. */
  ports?: Readonly<Record<string, number>>;
  /** How long a stop may take before the process leaves anyway; 10 s unless told. */
  stopTimeoutMs?: number;
}

export interface ServiceOptions {
  name: string;
  start: () => Promise<RunningService>;
  log?: Log;
}

/** sysexits.h: the configuration is wrong, and starting again without a change will not help. */
const wrongConfiguration = 78;

/**
 * The whole life of a process: start, tell the supervisor, wait for a reason to go, stop.
 *
 * A closed IPC channel is such a reason: it means that the supervisor is gone, however it went, and
 * a child that lives on would hold ports and data. A second signal leaves at once, for an operator
 * who is tired of waiting. An error that nobody caught leaves too: the state of the process is
 * unknown then, and the supervisor starts a clean one.
 */
export async function runService(options: ServiceOptions): Promise<void> {
  const log = options.log ?? createLog({ service: options.name });
  let running: RunningService | undefined;
  let leaving = false;

  const exit = (status: number) => {
    // Logs are written asynchronously, and the last line is the one that explains the exit.
    log.flush(() => process.exit(status));
    setTimeout(() => process.exit(status), 500).unref();
  };

  const leave = (why: string, status: number) => {
    if (leaving) return exit(1);
    leaving = true;
    log.info({ why }, 'stopping');
    setTimeout(() => {
      log.error('stopping took too long');
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
  // A signal during the start found nothing to stop yet.
  if (leaving) {
    await running.stop();
    return;
  }
  log.info({ ports: running.ports }, 'ready');
  process.send?.({ type: 'ready', ports: running.ports ?? {} });
}
