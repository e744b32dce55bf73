import type { Connection } from './Connection.ts';

/** Open sockets of this replica, grouped by user. */
export interface ConnectionRegistry {
  readonly size: number;
  add(connection: Connection): void;
  remove(connection: Connection): void;
  of(userId: string): readonly Connection[];
  all(): IterableIterator<Connection>;
}

const none: readonly Connection[] = [];

export function createConnectionRegistry(): ConnectionRegistry {
  const byUser = new Map<string, Connection[]>();
  const every = new Set<Connection>();
  return {
    get size() {
      return every.size;
    },
    add(connection) {
      every.add(connection);
      const theirs = byUser.get(connection.userId);
      if (theirs) theirs.push(connection);
      else byUser.set(connection.userId, [connection]);
    },
    remove(connection) {
      if (!every.delete(connection)) return;
      const theirs = byUser.get(connection.userId) ?? [];
      // Creates a new array because someone may be iterating over the old one.
      const left = theirs.filter((one) => one !== connection);
      if (left.length > 0) byUser.set(connection.userId, left);
      else byUser.delete(connection.userId);
    },
    of: (userId) => byUser.get(userId) ?? none,
    all: () => every.values(),
  };
}
