import type { Acting, Refused } from './operatorPorts.ts';

/** A host that operators bar. */
export interface BarredHost {
  host: string;
  /** Whether all below it is barred as well. */
  withSubdomains: boolean;
  since: Date;
}

export interface BarredHosts {
  /** The whole list as others hold links against it; without hosts where its version is the known one. */
  current(knownVersion: string | undefined): Promise<{ version: string; hosts: string[] }>;
  /** By name. */
  list(
    acting: Acting,
    page: { query: string; after: string | undefined; limit: number },
    now: Date,
  ): Promise<Refused | { outcome: 'listed'; hosts: BarredHost[] }>;
  /** Answers with those that were not barred like this before. */
  bar(
    acting: Acting,
    deed: { hosts: readonly string[]; withSubdomains: boolean; reason: string },
    now: Date,
  ): Promise<Refused | { outcome: 'too_many' } | { outcome: 'barred'; hosts: BarredHost[] }>;
  unbar(
    acting: Acting,
    deed: { host: string; reason: string },
    now: Date,
  ): Promise<Refused | { outcome: 'none' } | { outcome: 'unbarred' }>;
}
