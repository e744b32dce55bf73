import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Registry } from 'prom-client';
import { reveal, type Secret } from '../config.ts';
import { startPublishSpan, createBusMeters, runInMessageSpan, createTraceHeaders } from './busTelemetry.ts';
import { AppError } from '../errors.ts';
import { acceptedSubjects } from '../formerNames.ts';
import type { Log } from '../telemetry/log.ts';

export interface BusOptions {
  url: string | Secret;
  /** Name of the service, shown in NATS monitoring. */
  name: string;
  log: Log;
  metrics?: Registry;
  /** Prefix of every subject; NATS_PREFIX. */
  prefix?: string;
  /** Maximum wait for NATS at startup; one minute by default. Later outages are waited out indefinitely. */
  connectTimeoutMs?: number;
}

export interface Unsubscribe {
  (): void;
}

export type MessageHandler = (data: unknown, subject: string) => void | Promise<void>;

export interface Bus {
  /**
   * Publishes to current subscribers. Nothing is stored: while NATS is down the message is dropped, because a wake-up
   * that arrives minutes late is worthless. flush() reports whether it was sent.
   *
   * @param traceparent the trace that the message belongs to, if not the current one
   * @throws AppError too_large 'message_too_large': NATS accepts no message of this size.
   */
  publish(subject: string, data: unknown, traceparent?: string): void;
  /** Subscribes to a subject (NATS wildcards allowed), also across reconnects. */
  subscribe(subject: string, handler: MessageHandler): Unsubscribe;
  /**
   * Resolves once the server has everything published so far.
   *
   * @throws AppError unavailable 'bus_unavailable' if that does not happen within `timeoutMs`.
   */
  flush(timeoutMs?: number): Promise<void>;
  /** Calls back after each reconnect, when publishing works again. */
  onReconnect(callback: () => void): Unsubscribe;
  status(): { connected: boolean };
  /** Closes the connection. Idempotent. */
  close(): Promise<void>;
}

/** Reserved in each message for trace headers. */
const headerRoom = 256;

function unavailable(cause?: unknown): AppError<'bus_unavailable'> {
  return new AppError('unavailable', 'bus_unavailable', 'The message bus cannot be reached right now.', {
    retryAfterMs: 1000,
    cause,
  });
}

async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

async function connectWithin(options: BusOptions, timeoutMs: number): Promise<NatsConnection> {
  const url = new URL(reveal(options.url));
  // The library takes server URLs and credentials separately.
  const { username, password } = url;
  const until = Date.now() + timeoutMs;
  let hasWarned = false;
  for (;;) {
    try {
      return await connect({
        servers: `${url.protocol}//${url.host}`,
        ...(username && password ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
        ...(username && !password ? { token: decodeURIComponent(username) } : {}),
        name: options.name,
        timeout: 2000,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        reconnectJitter: 500,
        // Detects a frozen server within 15 s, after one unanswered ping, instead of four minutes.
        pingInterval: 7500,
        maxPingOut: 1,
        ignoreAuthErrorAbort: true,
      });
    } catch (error) {
      if (Date.now() >= until) {
        throw new Error(`NATS could not be reached within ${timeoutMs / 1000} s. Check NATS_URL.`, {
          cause: error,
        });
      }
      if (!hasWarned) options.log.warn({ err: error }, 'NATS not reachable yet; retrying');
      hasWarned = true;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Passes a message to its handler. A failing handler is logged and affects nothing else. */
async function handle(message: Msg, prefix: string, handler: MessageHandler, log: Log): Promise<void> {
  try {
    const subject = message.subject.slice(prefix.length);
    await runInMessageSpan(message, subject, async () => handler(message.json(), subject));
  } catch (failure) {
    log.error({ err: failure, subject: message.subject }, 'message handler failed');
  }
}

function callAll(listeners: Iterable<() => void>, log: Log): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch (error) {
      log.error({ err: error }, 'reconnect listener failed');
    }
  }
}

/** Connects to NATS. The connection survives server outages: it reconnects indefinitely and restores subscriptions. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { log } = options;
  const prefix = options.prefix ? `${options.prefix}.` : '';
  const nats = await connectWithin(options, options.connectTimeoutMs ?? 60_000);
  const listeners = new Set<() => void>();
  let connected = true;
  let closing: Promise<void> | undefined;

  const meters = options.metrics && createBusMeters(options.metrics, () => connected && !closing);

  const watch = async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') {
        if (connected && !closing) log.warn('NATS connection lost');
        connected = false;
      } else if (status.type === 'reconnect') {
        connected = true;
        meters?.reconnects.inc();
        log.info('NATS connection restored');
        callAll(listeners, log);
      } else if (status.type === 'error') {
        log.warn({ err: status.error }, 'NATS reported an error');
      }
    }
  };
  void watch();

  const closeAll = async () => {
    // Draining sends queued messages, which is impossible while NATS is down.
    if (connected) await within(nats.drain(), 3000).catch(() => nats.close());
    else await nats.close();
  };

  return {
    publish(subject, data, traceparent) {
      if (!connected || closing) return;
      const message = JSON.stringify(data);
      const bytes = Buffer.byteLength(message);
      const maxPayloadBytes = nats.info?.max_payload ?? Infinity;
      if (bytes + headerRoom > maxPayloadBytes) {
        const reason = `The message for ${subject} has ${bytes} bytes, but NATS accepts at most ${maxPayloadBytes}.`;
        throw new AppError('too_large', 'message_too_large', 'The request is too large.', { reason });
      }
      const span = startPublishSpan(subject, traceparent);
      nats.publish(prefix + subject, message, createTraceHeaders(span));
      span?.end();
    },

    subscribe(subject, handler) {
      const subscriptions = acceptedSubjects(subject).map((accepted) =>
        nats.subscribe(prefix + accepted, {
          callback: (error, message) => {
            if (error) log.warn({ err: error, subject }, 'subscription failed');
            else void handle(message, prefix, handler, log);
          },
        }),
      );
      return () => {
        if (!nats.isClosed()) for (const subscription of subscriptions) subscription.unsubscribe();
      };
    },

    async flush(timeoutMs = 2000) {
      if (!connected || closing) throw unavailable();
      try {
        await within(nats.flush(), timeoutMs);
      } catch (error) {
        throw unavailable(error);
      }
    },

    onReconnect(callback) {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },

    status: () => ({ connected: connected && !closing }),
    close: () => (closing ??= closeAll()),
  };
}

/** Readiness check for /readyz. */
export function checkBus(bus: Bus): { ok: boolean; detail?: string } {
  return bus.status().connected ? { ok: true } : { ok: false, detail: 'NATS does not answer' };
}
