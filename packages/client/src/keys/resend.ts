import { routes } from '@nolo/api';
import { equalBytes, findDevice, readHeader, readRoster, toUuid, type CheckedEpoch } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { listAt, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { memberOf, type StoredEpoch, type Vault } from './vault.ts';
import { rebuildRequest } from './vaultCommit.ts';
import { nameOf, toSigned } from './wire.ts';
import { requireJoined, type Work } from './work.ts';

/**
 * Showing a server that lost them the lists and headers that this device keeps (docs/encryption.md, section 9). Once
 * for each start.
 */

const toHead = (epoch: StoredEpoch): Pick<CheckedEpoch, 'hash' | 'header' | 'members'> => ({
  hash: epoch.hash,
  header: readHeader(epoch.statement),
  members: readRoster(epoch.roster),
});

/** First epoch of the vault that names list n. */
const epochOf = (vault: Vault, n: number): StoredEpoch | undefined =>
  vault.epochs.find((epoch) => memberOf(epoch)?.list?.n === n);

/** Box keys with number 0 of the devices that list n adds. */
function firstBoxKeysOf(chain: Chain, n: number) {
  const [before, list] = [listAt(chain, n - 1)?.list, listAt(chain, n)?.list];
  const added = (list?.devices ?? []).filter(({ id }) => !before || !findDevice(before, id));
  return added.flatMap(({ id }) => chain.boxKeys[nameOf(id)]?.first ?? []);
}

async function resendList({ call }: KeyContext, chain: Chain, vault: Vault, n: number): Promise<void> {
  const [statement, epoch] = [chain.statements[n], epochOf(vault, n)];
  const list = listAt(chain, n)?.list;
  if (!statement || !list) return;
  const isAlone = n > 0 && firstBoxKeysOf(chain, n).length === 0 && isSameRecovery(chain, n);
  const request = epoch && !isAlone ? await rebuildRequest(chain, toHead(epoch), epoch) : undefined;
  const boxKeys = firstBoxKeysOf(chain, n).map(toSigned);
  await call(routes.addDeviceList, {
    body: { list: toSigned(statement), boxKeys, ...(request && { vault: request }) },
  });
}

function isSameRecovery(chain: Chain, n: number): boolean {
  const [before, after] = [listAt(chain, n - 1)?.list.recovery, listAt(chain, n)?.list.recovery];
  return before && after ? equalBytes(before.signKey, after.signKey) : !before && !after;
}

async function resendEpochs({ call }: KeyContext, chain: Chain, vault: Vault): Promise<void> {
  const reply = await call(routes.listEpochs, { params: { id: toUuid(vault.id) }, query: { from: 0 } }).catch(
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return { items: [], more: false };
      throw error;
    },
  );
  if (reply.more) return;
  const last = reply.items.at(-1)?.n ?? -1;
  for (const epoch of vault.epochs.filter(({ n }) => n > last)) {
    const body = await rebuildRequest(chain, toHead(epoch), epoch);
    await call(routes.commitEpoch, { params: { id: toUuid(vault.id) }, body });
  }
}

/**
 * Sends again what the server lacks. A refusal ends it: the state that the server shows then stays refused.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function resendKept(context: KeyContext, work: Work): Promise<void> {
  const { own, vault } = requireJoined(work);
  const newest = work.reply?.newest;
  const from = newest ? newest.n + 1 : 0;
  try {
    for (let n = from; n < own.chain.statements.length; n += 1) await resendList(context, own.chain, vault, n);
    await resendEpochs(context, own.chain, vault);
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
  }
}
