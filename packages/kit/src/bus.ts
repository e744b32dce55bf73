import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Registry } from 'prom-client';
import { reveal, type Secret } from './config.ts';
import { beginPublish, createBusMeters, inMessageSpan, traceHeaders } from './busTelemetry.ts';
import { AppError } from './errors.ts';
import type { Log } from './log.ts';

export interface BusOptions {
  url: string | Secret;
  /** The service's name, shown in NATS's own monitoring. */
  name: string;
  log: Log;
  metrics?: Registry;
  /** Put before every subject; NATS_PREFIX. */
  prefix?: string;
  /** How long the start waits for NATS, a minute unless told. Later outages are waited out for ever. */
  connectTimeoutMs?: number;
}

export interface Unsubscribe {
  (): void;
}

export type MessageHandler = (data: unknown, subject: string) => void | Promise<void>;

export interface Bus {
  /**
   * Sends to whoever listens now. Nothing is kept: while NATS is away the message is dropped,
   * because a wake-up that arrives minutes late is worth nothing. flush() tells whether it went.
   *
   * @param traceparent the trace that it belongs to, if not to what is under way here
   * @throws AppError too_large 'message_too_large': NATS takes none of this size.
   */
  publish(subject: string, data: unknown, traceparent?: string): void;
  /** Listens on a subject (NATS wildcards allowed), also after reconnects. */
  subscribe(subject: string, handler: MessageHandler): Unsubscribe;
  /**
   * Returns once the server has everything published so far.
   *
   * @throws AppError unavailable 'bus_unavailable' when that cannot be had within `timeoutMs`.
   */
  flush(timeoutMs?: number): Promise<void>;
  /** Calls back after each reconnect, when publishing works again. */
  onReconnect(callback: () => void): Unsubscribe;
  status(): { connected: boolean };
  /** Ends the connection. Idempotent. */
  close(): Promise<void>;
}

/** Kept free in each message for the trace that may travel beside it. */
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
  // The library takes servers without credentials and credentials apart.
  const { username, password } = url;
  const until = Date.now() + timeoutMs;
  let told = false;
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
        // A frozen server is noticed within 15 s, where one ping was not answered, rather than after four minutes.
        pingInterval: 7500,
        maxPingOut: 1,
        ignoreAuthErrorAbort: true,
      });
    } catch (error) {
      if (Date.now() >= until) {
        throw new Error(`NATS could not be reached within ${timeoutMs / 1000} s; NATS_URL names its address.`, {
          cause: error,
        });
      }
      if (!told) options.log.warn({ err: error }, 'NATS cannot be reached yet');
      told = true;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Hands a message on; a handler that fails is told of, and takes nothing else along. */
async function handle(message: Msg, prefix: string, handler: MessageHandler, log: Log): Promise<void> {
  try {
    const subject = message.subject.slice(prefix.length);
    await inMessageSpan(message, subject, async () => handler(message.json(), subject));
  } catch (failure) {
    log.error({ err: failure, subject: message.subject }, 'handling a message failed');
  }
}

function callAll(listeners: Iterable<() => void>, log: Log): void {
  for (const listener of listeners) {
    try {
      listener();
    } catch (error) {
      log.error({ err: error }, 'a reconnect listener failed');
    }
  }
}

/**
 * The connection to NATS. It survives the server: reconnects go on for ever, subscriptions come
 * back by themselves.
 */
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
        if (connected && !closing) log.warn('NATS cannot be reached');
        connected = false;
      } else if (status.type === 'reconnect') {
        connected = true;
        meters?.reconnects.inc();
        log.info('NATS is back');
        callAll(listeners, log);
      } else if (status.type === 'error') {
        log.warn({ err: status.error }, 'NATS reports an error');
      }
    }
  };
  void watch();

  const closeAll = async () => {
    // Draining sends what is queued; where NATS is away there is nobody to send it to.
    if (connected) await within(nats.drain(), 3000).catch(() => nats.close());
    else await nats.close();
  };

  return {
    publish(subject, data, traceparent) {
      if (!connected || closing) return;
      const message = JSON.stringify(data);
      const bytes = Buffer.byteLength(message);
      const most = nats.info?.max_payload ?? Infinity;
      if (bytes + headerRoom > most) {
        const reason = `A message for ${subject} has ${bytes} bytes, and NATS takes ${most}.`;
        throw new AppError('too_large', 'message_too_large', 'This is too much at once.', { reason });
      }
      const span = beginPublish(subject, traceparent);
      nats.publish(prefix + subject, message, traceHeaders(span));
      span?.end();
    },

    subscribe(subject, handler) {
      const subscription = nats.subscribe(prefix + subject, {
        callback: (error, message) => {
          if (error) log.warn({ err: error, subject }, 'a subscription failed');
          else void handle(message, prefix, handler, log);
        },
      });
      return () => {
        if (!nats.isClosed()) subscription.unsubscribe();
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

/** For /readyz. */
export function checkBus(bus: Bus): { ok: boolean; detail?: string } {
  return bus.status().connected ? { ok: true } : { ok: false, detail: 'NATS does not answer' };
}
