import { follow, type Followed, type SettingsGround } from './settings.ts';

/** To everybody, from whoever keeps them: the list of barred hosts has changed. */
export const barredHostsChanged = 'installation.barred_hosts';

/** The hosts that operators bar, as this process knows them. */
export interface BarredHosts extends Followed {
  /** As they stood in the list when it was heard last; empty until then. */
  current(): ReadonlySet<string>;
  /** Another one whenever the list is another; undefined until it is known. */
  version(): string | undefined;
  onChange(listener: () => void): void;
}

interface ListOptions {
  /** Of identity, which keeps them: without hosts where the version is the known one. */
  list: (known: {
    knownVersion: string | undefined;
  }) => Promise<{ version?: string | undefined; hosts: readonly string[] }>;
}

/** Follows the list, which is asked for whole and only when it has changed. */
export function createBarredHosts(ground: SettingsGround, { list }: ListOptions): BarredHosts {
  let known: ReadonlySet<string> = new Set();
  let knownVersion: string | undefined;
  const listeners: (() => void)[] = [];
  const { isKnown } = follow(ground, { name: 'barred hosts', subject: barredHostsChanged }, async () => {
    const { version, hosts } = await list({ knownVersion });
    if (version === knownVersion) return;
    [known, knownVersion] = [new Set(hosts), version];
    for (const tell of listeners) tell();
  });
  return {
    current: () => known,
    version: () => knownVersion,
    isKnown,
    onChange: (listener) => void listeners.push(listener),
  };
}
