import { routes, type Config } from '@nolo/api';
import { isBarred } from '@nolo/rules';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { call } from '../api/httpClient.ts';
import { configStore } from './config.ts';

/** Hosts barred by operators, as known on this device. The list loads when a link is first shown. */
export const barredHostsStore = createStore<{ list: ReadonlySet<string> }>(() => ({ list: new Set() }));

const retryMs = 30_000;
/** Version of the list that is loaded or requested. */
let wanted: string | undefined;

/** The browser caches the response for a version, so a start requires no request. */
async function fetchList(version: string): Promise<void> {
  try {
    const { hosts } = await call(routes.getBarredHosts, { query: { version } });
    if (version === wanted) barredHostsStore.setState({ list: new Set(hosts) });
  } catch {
    setTimeout(() => {
      if (version === wanted) void fetchList(version);
    }, retryMs);
  }
}

function follow({ config }: { config: Config | null }): void {
  if (config === null || config.barredHosts === wanted) return;
  wanted = config.barredHosts;
  if (wanted === undefined) barredHostsStore.setState({ list: new Set() });
  else void fetchList(wanted);
}

configStore.subscribe(follow);
follow(configStore.getState());

/** Returns true if a link leads to a barred host. */
function leadsToBarred(list: ReadonlySet<string>, href: string): boolean {
  return list.size > 0 && URL.canParse(href) && isBarred(list, new URL(href).hostname);
}

export function useIsBarred(href: string): boolean {
  return useStore(barredHostsStore, ({ list }) => leadsToBarred(list, href));
}
