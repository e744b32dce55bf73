import type { Clock } from '@nolo/kit/clock';
import { untraced } from '@nolo/kit/tracing';
import { limits } from '@nolo/rules';
import type { Connection } from './Connection.ts';

/**
 * Tracks who is typing where. A typing indicator ends after `limits.typingTimeoutMs`, when its socket closes, or when
 * the socket leaves the conversation. One timer serves all indicators and runs only while there are any.
 */
export interface Typing {
  begin(connection: Connection, conversationId: string): void;
  /** Returns true if the socket was typing there. */
  end(connection: Connection, conversationId: string): boolean;
  endAll(connection: Connection): void;
  stop(): void;
}

const tickMs = 500;

export function createTyping(options: {
  clock: Clock;
  /** Called when an indicator times out, to notify the others. */
  onEnded: (userId: string, conversationId: string) => void;
}): Typing {
  const { clock, onEnded } = options;
  const marks = new Map<Connection, Map<string, number>>();
  let timer: NodeJS.Timeout | undefined;

  const rest = () => {
    if (marks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const remove = (connection: Connection, conversationId: string): boolean => {
    const theirs = marks.get(connection);
    if (!theirs?.delete(conversationId)) return false;
    if (theirs.size === 0) marks.delete(connection);
    return true;
  };

  const tick = () => {
    const now = clock.now().getTime();
    for (const [connection, theirs] of marks) {
      for (const [conversationId, until] of theirs) {
        if (until > now) continue;
        remove(connection, conversationId);
        onEnded(connection.userId, conversationId);
      }
    }
    rest();
  };

  return {
    begin(connection, conversationId) {
      const theirs = marks.get(connection) ?? new Map<string, number>();
      theirs.set(conversationId, clock.now().getTime() + limits.typingTimeoutMs);
      marks.set(connection, theirs);
      // Runs untraced because it serves all indicators, not only that of the frame that starts it.
      timer ??= untraced(() => setInterval(tick, tickMs)).unref();
    },
    end(connection, conversationId) {
      const was = remove(connection, conversationId);
      rest();
      return was;
    },
    endAll(connection) {
      const theirs = marks.get(connection);
      marks.delete(connection);
      for (const conversationId of theirs?.keys() ?? []) onEnded(connection.userId, conversationId);
      rest();
    },
    stop() {
      marks.clear();
      rest();
    },
  };
}
