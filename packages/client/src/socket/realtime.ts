import type { ClientEventData, ClientEventName, ServerFrame } from '@nolo/api';
import { closeCodes } from '@nolo/api';
import type { OpenSocket, RealtimePort, Socket, Timers } from '../ports.ts';

/**
 * - `connecting`: the first attempt; `open`: frames flow; `reconnecting`: one of the five quick attempts;
 * - `waiting`: they failed, a quiet Retry is offered and attempts continue every 30 s (decision 12); `stopped`:
 *   permanently.
 */
export type RealtimeStatus = 'connecting' | 'open' | 'reconnecting' | 'waiting' | 'stopped';

interface Dependencies {
  openSocket: OpenSocket;
  timers: Timers;
  onStatus(status: RealtimeStatus): void;
  onFrame(frame: ServerFrame): void;
  /** Called when the server ended the session, or may have: browsers do not show the reason of a refused attempt. */
  onRefused(certain: boolean): void;
}

export interface Realtime extends RealtimePort {
  start(): void;
  stop(): void;
  /** Sends a frame unchanged; frames are lost while the socket is not open. */
  write(frame: { type: ClientEventName; id?: string; data: object }): void;
  /** Retries immediately: the user asked, the network is back, or the page became visible. */
  retryNow(): void;
}

/** Number of quick attempts (spec section 9). */
const quickAttempts = 5;
const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/**
 * Maximum delay after a server that shuts down has redirected its clients: the server spreads them itself, so this only
 * adds jitter.
 */
const sentOnDelayMs = 500;
/** Timeout for the hello frame, after which a connection has failed. */
const helloTimeoutMs = 10_000;
/** Ping interval, because a half-open connection looks healthy until a ping goes unanswered. */
const pingEveryMs = 25_000;
const pingTimeoutMs = 10_000;

/**
 * Returns the delay before quick attempt `n` (from 1): doubling with up to a fifth of jitter, so that clients of a
 * restarted server do not arrive at once.
 */
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

  /** Handles a server that shuts down while another is available: not a failure, so it uses up no attempt. */
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
        // Any data proves that the connection is alive.
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
