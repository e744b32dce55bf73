import { socketLimits } from '@nolo/rules';
import { WebSocket } from 'ws';
import type { Bucket } from '../domain/tokenBucket.ts';

/**
 * A person's socket. It is the socket object itself with a few fields more, because there are very many of them: no
 * wrapper, no timer, no closure of its own.
 */
export class Connection extends WebSocket implements Bucket {
  userId = '';
  sessionId = '';
  /** The meeting that someone without an account may be in, and nowhere else (decision 20); empty for accounts. */
  guestOf = '';
  /** Where it comes from, as limits count it. */
  address = '';
  /** False until `hello` is out, which comes first; and again once the socket is being given up. */
  ready = false;
  /** Whether somebody looks at its page. */
  watched = false;
  /** Conversations that this socket looks at, and rooms that it is in; made when it first joins one. */
  joined: Set<string> | undefined = undefined;
  /** Frames that it may send at once, by `socketLimits.framesPerSocket`. */
  tokens: number = socketLimits.framesPerSocket.burst;
  filledAt = 0;
  /** Frames refused for being too many or too much, since it last behaved. */
  refused = 0;
  /** Pings without an answer. */
  missedPings = 0;
  /** Its place on the heartbeat's wheel. */
  wheelSlot = 0;

  get guest(): boolean {
    return this.guestOf !== '';
  }
}
