import type { RouteCaller } from '../http/httpClient.ts';
import type { Timers } from '../ports.ts';

/** Ports of a device's keys. Values are structured-cloneable: bytes, numbers, texts, and handles of the engine. */

/** Durable storage of one account's keys on this device. A write is durable once it resolves. */
export interface KeyStorage {
  read(key: string): Promise<unknown>;
  /** Returns the entries whose key begins with the prefix, in the order of their keys. */
  list(prefix: string): Promise<readonly (readonly [key: string, value: unknown])[]>;
  /** Writes all values or none. Undefined deletes. */
  write(values: Readonly<Record<string, unknown>>): Promise<void>;
  close(): void;
}

/**
 * Runs a task while no other tab, worker, or process of this account runs one, and returns its result. Everything that
 * signs, renews, or seals runs in it.
 */
export type RunAlone = <T>(task: () => Promise<T>) => Promise<T>;

/** Storage with the lock that all tabs, workers, or processes of it share, and the form of keys that it keeps. */
export interface DeviceKeyStorage extends KeyStorage {
  readonly runAlone: RunAlone;
  readonly keyForm: KeysPorts['keyForm'];
}

export interface KeysPorts {
  readonly userId: string;
  /** 0 browser, 1 program with a screen of its own. */
  readonly kind: 0 | 1;
  readonly storage: KeyStorage;
  readonly runAlone: RunAlone;
  readonly call: RouteCaller['call'];
  readonly timers: Timers;
  /** Returns milliseconds since 1970 by the device's own clock, which no server can move. */
  readonly deviceNow: () => number;
  readonly newId: () => string;
  /**
   * `engine` keeps private keys as handles that cannot be extracted, where the engine has them. `bytes` keeps their
   * bytes, for storages that only take bytes.
   */
  readonly keyForm: 'engine' | 'bytes';
  /** Announces to other tabs that the storage changed. */
  readonly announce?: () => void;
}
