import type { ClientEventData, ClientEventName, ServerFrame } from '@nolo/api';
import { closeCodes } from '@nolo/api';
import type { OpenSocket, RealtimePort, Socket, Timers } from './ports.ts';

/**
 * - `connecting`: the first attempt; `open`: frames flow; `reconnecting`: one of the five quick attempts;
 * - `waiting`: they failed, a quiet Retry is offered and attempts go on every 30 s (decision 12); `stopped`: for good.
 */
export type RealtimeStatus = 'connecting' | 'open' | 'reconnecting' | 'waiting' | 'stopped';

interface Dependencies {
  openSocket: OpenSocket;
  timers: Timers;
  onStatus(status: RealtimeStatus): void;
  onFrame(frame: ServerFrame): void;
  /** The server ended the session, or may have: after a refused attempt a browser cannot see the reason. */
  onRefused(certain: boolean): void;
}

export interface Realtime extends RealtimePort {
  start(): void;
  stop(): void;
  /** Sends a frame as it is; what is written while the socket is not open is lost. */
  write(frame: { type: ClientEventName; id?: string; data: object }): void;
  /** Tries at once: the person asked, the network came back, or the page became visible. */
  retryNow(): void;
}

/** Spec section 9. */
const quickAttempts = 5;
const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/** After a server that goes down has sent everybody on: it spreads that itself, so this is only to break the step. */
const sentOnDelayMs = 500;
/** A connection that does not say hello in this time counts as failed. */
const helloTimeoutMs = 10_000;
/** A half-open connection looks healthy until something is asked of it. */
const pingEveryMs = 25_000;
const pingTimeoutMs = 10_000;

/** Delay before quick attempt `n` (from 1): doubling with up to a fifth of jitter, so that clients of a restarted server do not arrive at once. */
export function reconnectDelay(attempt: number, random: number): number {
  return Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (0.8 + 0.4 * random);
}

export function createRealtime({ openSocket, timers, onStatus, onFrame, onRefused }: Dependencies): Realtime {
  let status: RealtimeStatus = 'stopped';
  let socket: Socket | null = null;
  let failures = 0;
  let pingNumber = 0;
  let cancelTimer = () => {};
  let cancelPing = () => {};

  const setStatus = (next: RealtimeStatus) => {
    if (status === next) return;
    status = next;
    onStatus(next);
  };

  const drop = () => {
    cancelTimer();
    cancelPing();
    const old = socket;
    socket = null;
    old?.close();
  };

  const failed = () => {
    const wasOpen = status === 'open';
    drop();
    failures = wasOpen ? 1 : failures + 1;
    if (!wasOpen) onRefused(false);
    if (status === 'stopped') return;
    const quick = failures <= quickAttempts;
    setStatus(quick ? 'reconnecting' : 'waiting');
    cancelTimer = timers.after(quick ? reconnectDelay(failures, timers.random()) : longestDelayMs, connect);
  };

  /** The server goes down and there is another: no failure, so none of the attempts is used up. */
  const sentOn = () => {
    drop();
    failures = 0;
    setStatus('reconnecting');
    cancelTimer = timers.after(sentOnDelayMs * timers.random(), connect);
  };

  const ping = () => {
    cancelPing();
    const number = ++pingNumber;
    socket?.send(JSON.stringify({ type: 'ping', id: `ping-${number}`, data: {} }));
    cancelPing = timers.after(pingTimeoutMs, failed);
  };

  const schedulePing = () => {
    cancelPing();
    cancelPing = timers.after(pingEveryMs, ping);
  };

  const connect = () => {
    drop();
    if (status === 'stopped') return;
    const current: Socket = openSocket({
      onFrame: (frame) => {
        if (socket !== current) return;
        if (frame.type === 'hello') {
          cancelTimer();
          failures = 0;
          setStatus('open');
        }
        // Anything that arrives proves that the line is alive.
        if (status === 'open') schedulePing();
        onFrame(frame);
      },
      onClose: (code) => {
        if (socket !== current) return;
        if (code === closeCodes.sessionEnded || code === closeCodes.wrongUser) {
          drop();
          setStatus('stopped');
          onRefused(true);
        } else if (code === closeCodes.draining && status === 'open') sentOn();
        else failed();
      },
    });
    socket = current;
    cancelTimer = timers.after(helloTimeoutMs, failed);
  };

  return {
    start() {
      if (status !== 'stopped') return;
      failures = 0;
      setStatus('connecting');
      connect();
    },
    stop() {
      setStatus('stopped');
      drop();
    },
    retryNow() {
      if (status === 'open') ping();
      else if (status === 'reconnecting' || status === 'waiting') connect();
    },
    write(frame) {
      if (status === 'open') socket?.send(JSON.stringify(frame));
    },
    send<N extends ClientEventName>(type: N, data: ClientEventData<N>) {
      if (status === 'open') socket?.send(JSON.stringify({ type, data }));
    },
  };
}
