import type { ClientEventData } from '@nolo/api';
import { SocketError, type SocketConnection } from '@nolo/client/socket/socketRequests';
import type { CallSignal } from './DirectCall.ts';

type Frame = ClientEventData<'webrtc_signal'>;

/**
 * Sends signals one after another, and waits while the connection is down: a lost description would leave the call
 * hanging.
 */
export class SignalQueue {
  readonly #socket: SocketConnection;
  readonly #frame: (signal: CallSignal) => Frame | null;
  readonly #waiting: CallSignal[] = [];
  readonly #end: () => void;
  #sending = false;
  #closed = false;

  constructor(socket: SocketConnection, frame: (signal: CallSignal) => Frame | null) {
    this.#socket = socket;
    this.#frame = frame;
    this.#end = socket.onChange((open) => {
      if (open) void this.#flush();
    });
  }

  send(signal: CallSignal): void {
    if (this.#closed) return;
    this.#waiting.push(signal);
    void this.#flush();
  }

  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
    this.#end();
  }

  async #flush(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    for (let signal = this.#waiting[0]; signal && this.#socket.isOpen && !this.#closed; signal = this.#waiting[0]) {
      const frame = this.#frame(signal);
      try {
        if (frame) await this.#socket.request('webrtc_signal', frame);
      } catch (error) {
        if (error instanceof SocketError && error.isConnectionFailure) {
          if (!this.#socket.isOpen) break;
          continue;
        }
        // Refused: the call is over, or the other side has not answered yet. A hello is repeated.
      }
      this.#waiting.shift();
    }
    this.#sending = false;
  }
}
