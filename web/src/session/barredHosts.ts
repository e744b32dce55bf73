import { routes, type Config } from '@nolo/api';
import { isBarred } from '@nolo/rules';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { call } from '../api/httpClient.ts';
import { configStore } from './config.ts';

/** The hosts that operators bar, as this device knows them; it learns of them once something shows a link. */
export const barredHostsStore = createStore<{ list: ReadonlySet<string> }>(() => ({ list: new Set() }));

const againMs = 30_000;
/** The version of the list that is known, or asked for. */
let wanted: string | undefined;

/** The browser keeps what it was answered for a version, so that a start asks the server for nothing. */
async function fetchList(version: string): Promise<void> {
  try {
    const { hosts } = await call(routes.getBarredHosts, { query: { version } });
    if (version === wanted) barredHostsStore.setState({ list: new Set(hosts) });
  } catch {
    setTimeout(() => {
      if (version === wanted) void fetchList(version);
    }, againMs);
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

/** Whether a link leads where operators let nobody go. */
function leadsToBarred(list: ReadonlySet<string>, href: string): boolean {
  return list.size > 0 && URL.canParse(href) && isBarred(list, new URL(href).hostname);
}

export function useIsBarred(href: string): boolean {
  return useStore(barredHostsStore, ({ list }) => leadsToBarred(list, href));
}
