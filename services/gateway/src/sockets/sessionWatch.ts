import { closeCodes } from '@nolo/api';
import type { Bus } from '@nolo/kit/bus';
import type { Log } from '@nolo/kit/log';
import type { Clients } from '../clients.ts';
import { onSessionsEnded } from '../sessionEnds.ts';
import type { Connection } from './Connection.ts';
import type { ConnectionRegistry } from './connections.ts';
import type { FrameSender } from './send.ts';

const checkMs = 60_000;
/** Maximum IDs per call to identity. */
const idsPerCall = 1_000;

/** Closes sockets of ended sessions: immediately on identity's event, or within a minute if the event was lost. */
export function watchSessions(options: {
  bus: Bus;
  identity: Clients['identity'];
  connections: ConnectionRegistry;
  sending: FrameSender;
  log: Log;
}): { check(): Promise<void>; stop(): void } {
  const { bus, identity, connections, sending, log } = options;

  const end = (connection: Connection, suspended?: true) => {
    sending.send(connection, { type: 'session_ended', data: suspended ? { suspended } : {} });
    connection.ready = false;
    connection.close(closeCodes.sessionEnded, 'session ended');
  };

  const unsubscribe = onSessionsEnded(bus, ({ userId, sessionIds, suspended }) => {
    for (const connection of connections.of(userId)) {
      if (sessionIds.includes(connection.sessionId)) end(connection, suspended);
    }
  });

  const check = async () => {
    // A guest pass is not a session and ends with its meeting.
    const people = [...connections.all()].filter(({ guest }) => !guest);
    const watchedSessionIds = [...new Set(people.map(({ sessionId }) => sessionId))];
    for (let start = 0; start < watchedSessionIds.length; start += idsPerCall) {
      const batch = watchedSessionIds.slice(start, start + idsPerCall);
      // The sessions' state is unknown without a reply, so their sockets stay open.
      const live = new Set((await identity.filterLiveSessions({ sessionIds: batch })).sessionIds);
      const ended = new Set(batch.filter((id) => !live.has(id)));
      if (ended.size === 0) continue;
      for (const connection of connections.all()) if (ended.has(connection.sessionId)) end(connection);
    }
  };

  const timer = setInterval(() => {
    check().catch((error: unknown) => log.warn({ err: error }, 'checking open sessions failed'));
  }, checkMs);
  timer.unref();

  return {
    check,
    stop() {
      unsubscribe();
      clearInterval(timer);
    },
  };
}
