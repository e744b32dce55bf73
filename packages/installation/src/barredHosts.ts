import { followSource, type FollowedSource, type SettingsContext } from './settings.ts';

/** Event from the service that owns the list to all services: the list of barred hosts changed. */
export const barredHostsChangedSubject = 'installation.barred_hosts';

/** Barred hosts, as this process knows them. */
export interface FollowedBarredHosts extends FollowedSource {
  /** Hosts of the last fetched list; empty until the first fetch. */
  current(): ReadonlySet<string>;
  /** Version of the list, different for every state of it; undefined until known. */
  version(): string | undefined;
  onChange(listener: () => void): void;
}

interface ListOptions {
  /** Call to identity, which owns the list. Returns no hosts if the version is the known one. */
  list: (known: {
    knownVersion: string | undefined;
  }) => Promise<{ version?: string | undefined; hosts: readonly string[] }>;
}

/** Follows the list. Fetches it whole, and only when it has changed. */
export function followBarredHosts(context: SettingsContext, { list }: ListOptions): FollowedBarredHosts {
  let known: ReadonlySet<string> = new Set();
  let knownVersion: string | undefined;
  const listeners: (() => void)[] = [];
  const { isKnown } = followSource(context, { name: 'barred hosts', subject: barredHostsChangedSubject }, async () => {
    const { version, hosts } = await list({ knownVersion });
    if (version === knownVersion) return;
    [known, knownVersion] = [new Set(hosts), version];
    for (const listener of listeners) listener();
  });
  return {
    current: () => known,
    version: () => knownVersion,
    isKnown,
    onChange: (listener) => void listeners.push(listener),
  };
}
