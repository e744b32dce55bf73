import type { ServiceContext } from '@nolo/kit/service';
import { EpochServiceDefinition } from '@nolo/proto/epochs';
import type { IdentityConfig } from './config.ts';
import { createListSettler } from './domain/settleLists.ts';
import type { Dependencies } from './rpc/dependencies.ts';
import { listPending } from './rpc/keyErrors.ts';
import { createDeviceLinkStore } from './store/deviceLinks.ts';
import { createDeviceListStore } from './store/deviceLists.ts';
import { createDeviceStore } from './store/devices.ts';
import { createKeptListStore } from './store/keptLists.ts';
import { createKeyReader } from './store/keys.ts';
import { createNamedAccounts } from './namedAccounts.ts';
import { createVaultEpochs } from './vaultEpochs.ts';

/** Creates the stores of devices with keys, and what settles lists with the chat service. */
export function createKeyStores(
  { client, clock, config, db, log, scrapeDb }: ServiceContext<IdentityConfig>,
  {
    wake,
    wakeMails,
    sessionCache,
    metrics,
  }: { wake: () => void; wakeMails: () => void } & Pick<Dependencies, 'metrics' | 'sessionCache'>,
): Pick<
  Dependencies,
  'deviceLinks' | 'deviceLists' | 'devices' | 'keptLists' | 'keys' | 'listSettler' | 'namedAccounts'
> {
  const deviceLists = createDeviceListStore(db, wakeMails, async ({ endedTokenHashes, linked }) => {
    if (endedTokenHashes.length > 0) await sessionCache.forget(endedTokenHashes);
    if (linked > 0) metrics.deviceLinks.inc({ event: 'linked' }, linked);
  });
  const chatEpochs = client(EpochServiceDefinition, config.CHAT_ADDR);
  return {
    deviceLinks: createDeviceLinkStore(db, wake),
    deviceLists,
    devices: createDeviceStore(db, wake),
    keptLists: createKeptListStore(db),
    keys: createKeyReader(db, scrapeDb),
    namedAccounts: createNamedAccounts(chatEpochs, (error) =>
      log.warn({ err: error }, 'the device lists of closed accounts were not shown'),
    ),
    listSettler: createListSettler({
      deviceLists,
      vaultEpochs: createVaultEpochs(chatEpochs),
      clock,
      pendingError: listPending,
      onUnclear: (error) => log.warn({ err: error }, 'an epoch of the vault was not begun; its device list waits'),
    }),
  };
}
