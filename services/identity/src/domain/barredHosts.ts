import type { OperatorActor, OperatorRefusal } from './operatorPorts.ts';

/** Host that operators bar. */
export interface BarredHost {
  host: string;
  /** True if all subdomains are barred as well. */
  withSubdomains: boolean;
  since: Date;
}

export interface BarredHostStore {
  /**
   * Returns the list against which other services check links. Omits the hosts if the caller already has this version.
   */
  current(knownVersion: string | undefined): Promise<{ version: string; hosts: string[] }>;
  /** Lists hosts by name. */
  list(
    acting: OperatorActor,
    page: { query: string; after: string | undefined; limit: number },
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'listed'; hosts: BarredHost[] }>;
  /** Returns the hosts whose entry is new or changed. */
  bar(
    acting: OperatorActor,
    change: { hosts: readonly string[]; withSubdomains: boolean; reason: string },
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'too_many' } | { outcome: 'barred'; hosts: BarredHost[] }>;
  unbar(
    acting: OperatorActor,
    change: { host: string; reason: string },
    now: Date,
  ): Promise<OperatorRefusal | { outcome: 'none' } | { outcome: 'unbarred' }>;
}
