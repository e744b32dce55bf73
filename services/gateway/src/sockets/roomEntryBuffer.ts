import type { Connection } from './Connection.ts';
import type { FramedText } from './framing.ts';
import type { FrameSender } from './send.ts';

/** State of a socket that is entering rooms. */
interface Entering {
  /** Number of requests in flight. */
  requests: number;
  /** Scopes that the socket has joined but whose response it has not received. */
  readonly unanswered: Set<string>;
  readonly kept: { readonly scope: string; readonly framed: FramedText }[];
}

/** Holds frames for sockets that are entering rooms until their requests are answered; see `ParticipantTracker`. */
export function createRoomEntryBuffer(sending: FrameSender) {
  const entering = new Map<Connection, Entering>();

  /** Writes held frames of rooms that the socket is in now. Drops the others once it enters no more rooms. */
  const writeKept = (connection: Connection, state: Entering) => {
    const answered = new Set(state.unanswered);
    state.unanswered.clear();
    state.requests -= 1;
    if (state.requests === 0) entering.delete(connection);
    for (const one of state.kept.splice(0)) {
      if (answered.has(one.scope) || connection.joined?.has(one.scope) === true) {
        sending.broadcast([connection], one.framed);
      } else if (state.requests > 0) state.kept.push(one);
    }
  };

  return {
    async run<T>(connection: Connection, enter: () => Promise<T>): Promise<T> {
      const state = entering.get(connection) ?? { requests: 0, unanswered: new Set(), kept: [] };
      state.requests += 1;
      entering.set(connection, state);
      try {
        return await enter();
      } finally {
        // The response is written in the following microtasks, which run before anything else.
        setImmediate(writeKept, connection, state);
      }
    },
    /** Records that the socket joins a scope while entering a room. */
    joins(connection: Connection, scope: string): void {
      entering.get(connection)?.unanswered.add(scope);
    },
    keep(connection: Connection, scope: string, framed: FramedText): boolean {
      const state = entering.get(connection);
      if (!state || (connection.joined?.has(scope) === true && !state.unanswered.has(scope))) return false;
      state.kept.push({ scope, framed });
      return true;
    },
  };
}
