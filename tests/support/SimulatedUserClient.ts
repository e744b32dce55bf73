import type { Message, ServerFrame } from '@nolo/api';
import { Headless } from '@nolo/testing';
import { WebSocket } from 'ws';
import { createRefreshRetry } from '@nolo/client/chat/refreshRetry';
import type { OpenSocket, Timers } from '@nolo/client/ports';
import { createRealtime, type Realtime } from '@nolo/client/socket/realtime';
import type { LoadPerson } from '../load/support/people.ts';

interface Options {
  person: LoadPerson;
  /** Returns the address to connect to; called before each connection. */
  address: () => string;
  /** Returns a number from 0 inclusive to 1 exclusive. */
  random: () => number;
  violation: (what: string) => void;
}

interface Row {
  conversationId: string;
  id: string;
  seq: number;
  changeSeq: number;
}

type Change = { type: 'message'; message: Message } | { type: 'member' };

/** Times to recover after a lost connection. */
export interface RecoveryTimes {
  /** Milliseconds from the successful attempt to `hello`, and to the last missed message. */
  helloMs: number;
  wholeMs: number;
  /** Milliseconds of the same, from the loss of the connection. */
  awayMs: number;
  recoveredMs: number;
  missed: number;
  /** Close code of the lost connection. */
  code: number;
}

/**
 * Simulates one of very many clients: the web app's own way of reconnecting, and docs/realtime.md's way of catching up,
 * without a screen. Stores the id and place of each message, but not its text.
 */
export class SimulatedUserClient {
  readonly person: LoadPerson;
  /** Message ids by conversation and seq. */
  readonly seen = new Map<string, Map<number, string>>();
  readonly returns: RecoveryTimes[] = [];
  readonly realtime: Realtime;
  redelivered = 0;
  readonly #complete = new Map<string, number>();
  readonly #options: Options;
  readonly #retry: ReturnType<typeof createRefreshRetry>;
  readonly #cancels = new Set<() => void>();
  #caller: Headless | undefined;
  #socket: WebSocket | undefined;
  #isNetworkUp = true;
  #open = false;
  #whole = false;
  #catching = false;
  #mustRepeat = false;
  #stopped = false;
  #news = 0;
  #lost: { at: number; code: number } | undefined;
  #attemptAt = 0;
  #helloAt = 0;

  constructor(options: Options) {
    this.person = options.person;
    this.#options = options;
    const timers = this.#timers();
    this.#retry = createRefreshRetry({
      timers,
      failureOf: () => ({ passing: true }) as never,
      refresh: () => void this.#catchUp(),
    });
    this.realtime = createRealtime({
      openSocket: this.#openSocket,
      timers,
      onStatus: (status) => {
        const open = status === 'open';
        if (this.#open && !open) this.#whole = false;
        this.#open = open;
      },
      onFrame: (frame) => this.#onFrame(frame),
      onRefused: (certain) => {
        if (certain) options.violation(`${this.person.id} was signed out`);
      },
    });
  }

  /** True if connected without any known message missing. */
  get whole(): boolean {
    return this.#open && this.#whole;
  }

  get connected(): boolean {
    return this.#open;
  }

  /** Cuts every TCP connection of this device, and blocks new ones until `mend`. */
  cut(): void {
    this.#isNetworkUp = false;
    this.#caller?.close();
    this.#caller = undefined;
    this.#socket?.terminate();
  }

  mend(): void {
    this.#isNetworkUp = true;
  }

  stop(): void {
    this.#stopped = true;
    this.realtime.stop();
    this.#retry.stop();
    for (const cancel of this.#cancels) cancel();
    this.#caller?.close();
    this.#socket?.terminate();
  }

  #timers(): Timers {
    return {
      now: () => Date.now(),
      after: (ms, task) => {
        const cancel = () => {
          clearTimeout(timer);
          this.#cancels.delete(cancel);
        };
        const timer = setTimeout(() => {
          this.#cancels.delete(cancel);
          task();
        }, ms);
        this.#cancels.add(cancel);
        return cancel;
      },
      random: this.#options.random,
    };
  }

  readonly #openSocket: OpenSocket = ({ onFrame, onClose }) => {
    this.#attemptAt = performance.now();
    if (!this.#isNetworkUp) {
      setImmediate(() => onClose(1006));
      return { send: () => undefined, close: () => undefined };
    }
    const address = this.#options.address();
    if (this.#caller?.gatewayClient.url !== address) {
      this.#caller?.close();
      this.#caller = new Headless(address, this.person.tokens[0] ?? '');
    }
    const socket = this.#caller.dial({ onFrame });
    this.#socket = socket;
    socket.on('close', (code) => {
      if (this.#socket === socket && this.#open && !this.#stopped) this.#lost = { at: performance.now(), code };
      onClose(code);
    });
    return {
      send: (text) => {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: () => socket.close(),
    };
  };

  #onFrame(frame: ServerFrame): void {
    if (frame.type === 'hello') this.#helloAt = performance.now();
    if (frame.type === 'hello' || frame.type === 'sync_required') void this.#catchUp();
    if (frame.type !== 'new_message' && frame.type !== 'message_updated') return;
    const own = this.#complete.get(frame.data.conversationId) ?? 0;
    if (frame.data.changeSeq <= own) this.redelivered += 1;
    else if (frame.data.changeSeq === own + 1) this.#take(frame.data);
    else void this.#catchUp();
  }

  #take(row: Row): void {
    const { conversationId, id, seq, changeSeq } = row;
    let known = this.seen.get(conversationId);
    if (!known) this.seen.set(conversationId, (known = new Map()));
    const before = known.get(seq);
    if (before === undefined) this.#news += 1;
    else if (before !== id) this.#options.violation(`${conversationId} seq ${seq} is both ${before} and ${id}`);
    known.set(seq, id);
    this.#complete.set(conversationId, Math.max(changeSeq, this.#complete.get(conversationId) ?? 0));
  }

  async #catchUp(): Promise<void> {
    if (this.#catching) {
      this.#mustRepeat = true;
      return;
    }
    this.#catching = true;
    try {
      do {
        this.#mustRepeat = false;
        await this.#refresh();
      } while (this.#mustRepeat);
      this.#retry.succeeded();
      if (!this.#open) return;
      this.#whole = true;
      this.#recordReturn();
    } catch (error) {
      if (!this.#stopped && this.#open) this.#retry.later(error);
    } finally {
      this.#catching = false;
    }
    // A trigger that arrived in the last moment would otherwise be ignored.
    if (this.#mustRepeat && !this.#stopped) void this.#catchUp();
  }

  async #refresh(): Promise<void> {
    const caller = this.#caller;
    if (!caller) throw new Error('The connection is down.');
    if (this.#lost) this.#news = 0;
    const { body } = await caller.call('GET', '/api/conversations');
    for (const { id, changeSeq } of body as { id: string; changeSeq: number }[]) {
      for (let own = this.#complete.get(id) ?? 0; own < changeSeq;) {
        const page = await caller.call('GET', `/api/conversations/${id}/changes?since=${own}`);
        const {
          changes,
          changeSeq: upTo,
          hasMore,
        } = page.body as {
          changes: Change[];
          changeSeq: number;
          hasMore: boolean;
        };
        for (const change of changes) if (change.type === 'message') this.#take(change.message);
        own = Math.max(upTo, this.#complete.get(id) ?? 0);
        this.#complete.set(id, own);
        if (!hasMore) break;
      }
    }
  }

  #recordReturn(): void {
    const lost = this.#lost;
    if (!lost) return;
    this.#lost = undefined;
    const now = performance.now();
    this.returns.push({
      helloMs: this.#helloAt - this.#attemptAt,
      wholeMs: now - this.#attemptAt,
      awayMs: this.#helloAt - lost.at,
      recoveredMs: now - lost.at,
      missed: this.#news,
      code: lost.code,
    });
  }
}
