import type { ClientEventData, ClientEventName, ServerEventData, ServerEventName, ServerFrame } from '@nolo/api';
import type { Timers } from './ports.ts';

/** A request over the socket that was refused, or to which no answer came. */
export class SocketError extends Error {
  /** The server's code, or `disconnected` or `timeout`. */
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'SocketError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the line and not the request was at fault. */
  get offTheLine(): boolean {
    return this.code === 'disconnected' || this.code === 'timeout';
  }

  /** Whether the same request may succeed later without anyone changing anything: only then is it said when. */
  get passing(): boolean {
    return this.offTheLine || this.retryAfterMs !== undefined || this.code === 'internal_error';
  }
}

type Handler<N extends ServerEventName> = (data: ServerEventData<N>) => void;

/** What a feature with a protocol of its own needs of the app's one socket. */
export interface SocketLine {
  readonly isOpen: boolean;
  /** Sends and forgets; what is sent while the line is away is lost. */
  send<N extends ClientEventName>(type: N, data: ClientEventData<N>): void;
  /** Sends and waits for the answer. Rejects with SocketError. */
  request<N extends ClientEventName, R = Record<string, unknown>>(
    type: N,
    data: ClientEventData<N>,
    timeoutMs?: number,
  ): Promise<R>;
  /** Hears every frame of a type until the returned function is called. */
  subscribe<N extends ServerEventName>(type: N, handler: Handler<N>): () => void;
  /** Told when the line opens and when it is lost. */
  onChange(handler: (open: boolean) => void): () => void;
}

/** The side of the line that belongs to whoever runs the socket. */
export interface SocketLineEnd extends SocketLine {
  receive(frame: ServerFrame): void;
  setOpen(open: boolean): void;
}

const requestTimeoutMs = 10_000;

interface Waiting {
  resolve(data: Record<string, unknown>): void;
  reject(error: SocketError): void;
  cancel(): void;
}

/** Pairs requests with their answers and hands frames to those who asked for them. */
export function createSocketLine(options: {
  timers: Timers;
  write(frame: { type: ClientEventName; id?: string; data: object }): void;
}): SocketLineEnd {
  const { timers, write } = options;
  const waiting = new Map<string, Waiting>();
  const handlers = new Map<ServerEventName, Set<Handler<ServerEventName>>>();
  const watchers = new Set<(open: boolean) => void>();
  let isOpen = false;
  let number = 0;

  const settle = (id: string): Waiting | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    one?.cancel();
    return one;
  };

  return {
    get isOpen() {
      return isOpen;
    },
    send(type, data) {
      if (isOpen) write({ type, data });
    },
    request(type, data, timeoutMs = requestTimeoutMs) {
      if (!isOpen) return Promise.reject(new SocketError('disconnected', 'The connection is away.'));
      const id = `request-${++number}`;
      return new Promise((resolve, reject) => {
        const cancel = timers.after(timeoutMs, () =>
          settle(id)?.reject(new SocketError('timeout', 'The server did not answer in time.')),
        );
        // The server's answer is typed by whoever knows what they asked for.
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject, cancel });
        write({ type, id, data });
      });
    },
    subscribe(type, handler) {
      const all = handlers.get(type) ?? new Set();
      handlers.set(type, all);
      all.add(handler as Handler<ServerEventName>);
      return () => void all.delete(handler as Handler<ServerEventName>);
    },
    onChange(handler) {
      watchers.add(handler);
      return () => void watchers.delete(handler);
    },
    receive(frame) {
      if (frame.type === 'ack') {
        if (frame.id !== undefined) settle(frame.id)?.resolve(frame.data);
        return;
      }
      if (frame.type === 'error') {
        const { code, message, retryAfterMs } = frame.data;
        if (frame.id !== undefined) settle(frame.id)?.reject(new SocketError(code, message, retryAfterMs));
        return;
      }
      for (const handler of handlers.get(frame.type) ?? []) handler(frame.data);
    },
    setOpen(open) {
      if (open === isOpen) return;
      isOpen = open;
      if (!open) {
        for (const id of waiting.keys()) {
          settle(id)?.reject(new SocketError('disconnected', 'The connection was lost.'));
        }
      }
      for (const watcher of watchers) watcher(open);
    },
  };
}
