import { routes } from '@nolo/api';
import { equalBytes, findDevice, readHeader, readRoster, toUuid, type CheckedEpoch } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { listAt, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { memberOf, type StoredEpoch, type Vault } from './vault.ts';
import { rebuildRequest } from './vaultCommit.ts';
import { assertEnds, nameOf, toSigned } from './wire.ts';
import { requireJoined, type Work } from './work.ts';

/**
 * Sends stored lists and headers to a server that lost them, whoever signed them (docs/encryption.md, section 9). Runs
 * once for each start.
 */

const toHead = (epoch: StoredEpoch): Pick<CheckedEpoch, 'hash' | 'header' | 'members'> => ({
  hash: epoch.hash,
  header: readHeader(epoch.statement),
  members: readRoster(epoch.roster),
});

const rebuild = (chain: Chain, epoch: StoredEpoch) => rebuildRequest(chain, toHead(epoch), epoch);

function isSameRecovery(chain: Chain, n: number): boolean {
  const [before, after] = [listAt(chain, n - 1)?.list.recovery, listAt(chain, n)?.list.recovery];
  return before && after ? equalBytes(before.signKey, after.signKey) : !before && !after;
}

/**
 * Shows list n, with the first epoch that names it if the server takes both or neither.
 *
 * @returns the epoch that went with it
 */
async function resendList(
  { call }: KeyContext,
  chain: Chain,
  n: number,
  epoch: StoredEpoch | undefined,
): Promise<StoredEpoch | undefined> {
  const [statement, list, before] = [chain.statements[n], listAt(chain, n)?.list, listAt(chain, n - 1)?.list];
  if (!statement || !list) return undefined;
  const added = list.devices.filter(({ id }) => !before || !findDevice(before, id));
  const needsVault = added.some(({ kind }) => kind !== 2) || !isSameRecovery(chain, n);
  const vault = epoch && needsVault ? await rebuild(chain, epoch) : undefined;
  const boxKeys = added.flatMap(({ id }) => chain.boxKeys[nameOf(id)] ?? []).map(toSigned);
  await call(routes.addDeviceList, {
    body: { list: toSigned(statement), boxKeys, lost: true, ...(vault && { vault }) },
  });
  return vault && epoch;
}

/** Returns the number of the newest epoch that the server has; -1 if it has none. */
async function findNewestEpoch({ call }: KeyContext, vault: Vault): Promise<number> {
  let newest = -1;
  for (let pages = 0; ; pages += 1) {
    assertEnds(pages);
    try {
      const page = await call(routes.listEpochs, { params: { id: toUuid(vault.id) }, query: { from: newest + 1 } });
      newest = page.items.at(-1)?.n ?? newest;
      if (!page.more || page.items.length === 0) return newest;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return newest;
      throw error;
    }
  }
}

/** Shows each list, and then the epochs that name it, because the server checks an epoch against lists that it has. */
async function resendAll(context: KeyContext, chain: Chain, vault: Vault, newestList: number): Promise<void> {
  const newestEpoch = await findNewestEpoch(context, vault);
  for (let n = 0; n < chain.statements.length; n += 1) {
    const naming = vault.epochs.filter((epoch) => memberOf(epoch)?.list?.n === n);
    const sent = n > newestList ? await resendList(context, chain, n, naming[0]) : undefined;
    for (const epoch of naming.filter((one) => one.n > newestEpoch && one !== sent)) {
      const body = { ...(await rebuild(chain, epoch)), lost: true };
      await context.call(routes.commitEpoch, { params: { id: toUuid(vault.id) }, body });
    }
  }
}

/**
 * Sends again what the server lacks. A refusal ends it: the state that the server shows then stays refused.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function resendKept(context: KeyContext, work: Work): Promise<void> {
  const { own, vault } = requireJoined(work);
  try {
    await resendAll(context, own.chain, vault, work.reply?.newest?.n ?? -1);
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
  }
}
