import type { ClientEventData, ClientEventName, ServerEventData, ServerEventName, ServerFrame } from '@nolo/api';
import type { Timers } from '../ports.ts';

/** Socket request that was refused, or that got no answer. */
export class SocketError extends Error {
  /** Server's code, or `disconnected` or `timeout`. */
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'SocketError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** True if the connection and not the request failed. */
  get isConnectionFailure(): boolean {
    return this.code === 'disconnected' || this.code === 'timeout';
  }

  /** True if the same request may succeed later without any change; only then the error says when. */
  get passing(): boolean {
    return this.isConnectionFailure || this.retryAfterMs !== undefined || this.code === 'internal_error';
  }
}

type Handler<N extends ServerEventName> = (data: ServerEventData<N>) => void;

/** App's single socket, as a feature with its own protocol needs it. */
export interface SocketConnection {
  readonly isOpen: boolean;
  /** Sends without waiting; the frame is lost while the connection is down. */
  send<N extends ClientEventName>(type: N, data: ClientEventData<N>): void;
  /** Sends and waits for the answer. Rejects with SocketError. */
  request<N extends ClientEventName, R = Record<string, unknown>>(
    type: N,
    data: ClientEventData<N>,
    timeoutMs?: number,
  ): Promise<R>;
  /** Subscribes to every frame of a type until the returned function is called. */
  subscribe<N extends ServerEventName>(type: N, handler: Handler<N>): () => void;
  /** Calls back when the connection opens and when it is lost. */
  onChange(handler: (open: boolean) => void): () => void;
}

/** Side of the connection for the code that runs the socket. */
export interface SocketConnectionController extends SocketConnection {
  receive(frame: ServerFrame): void;
  setOpen(open: boolean): void;
}

const requestTimeoutMs = 10_000;

interface Waiting {
  resolve(data: Record<string, unknown>): void;
  reject(error: SocketError): void;
  cancel(): void;
}

/** Matches requests with their answers and passes frames to their subscribers. */
export function createSocketConnection(options: {
  timers: Timers;
  write(frame: { type: ClientEventName; id?: string; data: object }): void;
}): SocketConnectionController {
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
      if (!isOpen) return Promise.reject(new SocketError('disconnected', 'The connection is down.'));
      const id = `request-${++number}`;
      return new Promise((resolve, reject) => {
        const cancel = timers.after(timeoutMs, () =>
          settle(id)?.reject(new SocketError('timeout', 'The server did not answer in time.')),
        );
        // The caller knows the type of the answer to its request.
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
