import { socketLimits } from '@nolo/rules';
import { WebSocket } from 'ws';
import type { TokenBucket } from '../domain/tokenBucket.ts';

/**
 * User's socket. Sockets are very many, so this extends WebSocket directly with a few fields: no wrapper, timer, or
 * closures per socket.
 */
export class Connection extends WebSocket implements TokenBucket {
  userId = '';
  sessionId = '';
  /** ID of the only meeting that a guest may enter (decision 20). Empty for accounts. */
  guestOf = '';
  /** Client address, as limits count it. */
  address = '';
  /** False until `hello` is sent, which must come first, and again while the socket is being closed. */
  ready = false;
  /** True if the client opens envelopes itself. */
  opensEnvelopes = false;
  /** True if the user is looking at the page. */
  watched = false;
  /** Conversations that this socket views and rooms that it is in. Created on the first join. */
  joined: Set<string> | undefined = undefined;
  /** Frames that the socket may still send at once, limited by `socketLimits.framesPerSocket`. */
  tokens: number = socketLimits.framesPerSocket.burst;
  filledAt = 0;
  /** Consecutive frames refused for exceeding limits. */
  refused = 0;
  /** Number of unanswered pings. */
  missedPings = 0;
  /** Slot on the heartbeat wheel. */
  wheelSlot = 0;

  get guest(): boolean {
    return this.guestOf !== '';
  }
}
