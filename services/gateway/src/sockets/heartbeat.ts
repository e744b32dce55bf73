import type { Connection } from './Connection.ts';
import { writePing } from './framing.ts';

export const pingIntervalMs = 25_000;

/** Maximum unanswered pings before a socket counts as dead. */
const maxMissedPings = 2;

/**
 * Pings all sockets with one timer. Sockets are spread over a wheel with one slot per second, and each second pings the
 * next slot, so 18,000 pings are not sent at once. The wheel stops while there are no sockets.
 */
export interface Heartbeat {
  add(connection: Connection): void;
  remove(connection: Connection): void;
  /** Pings the next slot. */
  tick(): void;
  stop(): void;
}

export function createHeartbeat(options: { slots?: number; tickMs?: number } = {}): Heartbeat {
  const tickMs = options.tickMs ?? 1_000;
  const slots = Array.from({ length: options.slots ?? pingIntervalMs / tickMs }, () => new Set<Connection>());
  let next = 0;
  let fullest = 0;

  const tick = () => {
    const slot = slots[next];
    next = (next + 1) % slots.length;
    for (const connection of slot ?? []) {
      if (connection.missedPings >= maxMissedPings) {
        connection.terminate();
        continue;
      }
      connection.missedPings += 1;
      writePing(connection);
    }
  };
  let sockets = 0;
  let timer: NodeJS.Timeout | undefined;

  return {
    add(connection) {
      // Round robin keeps the slots balanced, however connections arrive.
      fullest = (fullest + 1) % slots.length;
      connection.wheelSlot = fullest;
      slots[fullest]?.add(connection);
      sockets += 1;
      timer ??= setInterval(tick, tickMs).unref();
    },
    remove(connection) {
      if (slots[connection.wheelSlot]?.delete(connection)) sockets -= 1;
      if (sockets > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
    tick,
    stop: () => clearInterval(timer),
  };
}
