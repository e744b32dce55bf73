import type { Clock } from '@nolo/kit/clock';
import { withoutSpan } from '@nolo/kit/tracing';
import { limits } from '@nolo/rules';
import type { Connection } from './Connection.ts';

/**
 * Tracks who is typing where. A typing indicator ends after `limits.typingTimeoutMs`, when its socket closes, or when
 * the socket leaves the conversation. One timer serves all indicators and runs only while there are any.
 */
export interface TypingTracker {
  begin(connection: Connection, conversationId: string): void;
  /** Returns true if the socket was typing there. */
  end(connection: Connection, conversationId: string): boolean;
  endAll(connection: Connection): void;
  stop(): void;
}

const tickMs = 500;

export function createTypingTracker(options: {
  clock: Clock;
  /** Called when an indicator times out, to notify the others. */
  onEnded: (userId: string, conversationId: string) => void;
}): TypingTracker {
  const { clock, onEnded } = options;
  const typingUntil = new Map<Connection, Map<string, number>>();
  let timer: NodeJS.Timeout | undefined;

  const rest = () => {
    if (typingUntil.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const remove = (connection: Connection, conversationId: string): boolean => {
    const theirs = typingUntil.get(connection);
    if (!theirs?.delete(conversationId)) return false;
    if (theirs.size === 0) typingUntil.delete(connection);
    return true;
  };

  const tick = () => {
    const now = clock.now().getTime();
    for (const [connection, theirs] of typingUntil) {
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
      const theirs = typingUntil.get(connection) ?? new Map<string, number>();
      theirs.set(conversationId, clock.now().getTime() + limits.typingTimeoutMs);
      typingUntil.set(connection, theirs);
      // Runs untraced because it serves all indicators, not only that of the frame that starts it.
      timer ??= withoutSpan(() => setInterval(tick, tickMs)).unref();
    },
    end(connection, conversationId) {
      const was = remove(connection, conversationId);
      rest();
      return was;
    },
    endAll(connection) {
      const theirs = typingUntil.get(connection);
      typingUntil.delete(connection);
      for (const conversationId of theirs?.keys() ?? []) onEnded(connection.userId, conversationId);
      rest();
    },
    stop() {
      typingUntil.clear();
      rest();
    },
  };
}
