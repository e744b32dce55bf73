import type { Clock } from '@nolo/kit/clock';
import type { DeviceListStore } from '../domain/keyPorts.ts';
import type { ListSettler } from '../domain/settleLists.ts';

/** Age from which a list counts as abandoned by the request that brought it. */
const abandonedMs = 10_000;
const listsAtOnce = 100;

/** Settles device lists whose request ended before the epoch of their vault was accepted. */
export function settlePendingLists(deps: {
  deviceLists: Pick<DeviceListStore, 'listPending'>;
  listSettler: Pick<ListSettler, 'settleOf'>;
  clock: Clock;
}): () => Promise<void> {
  return async () => {
    const before = new Date(deps.clock.now().getTime() - abandonedMs);
    for (const userId of await deps.deviceLists.listPending(before, listsAtOnce))
      await deps.listSettler.settleOf(userId);
  };
}
