import { equalBytes, findDevice, fromUuid, recoverySigner, toUuid } from '@nolo/e2ee';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { rateLimits } from '@nolo/rules';
import { judgeDeviceList } from '../domain/deviceLists.ts';
import type {
  AcceptedOutcome,
  DeviceId,
  DeviceListOutcome,
  DeviceListPlan,
  DeviceListState,
  DeviceListStore,
  DeviceListUpload,
} from '../domain/keyPorts.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { applyDeviceList } from './applyDeviceList.ts';
import { findDeviceOfSession, listKnownDevices, loadNewestList } from './deviceRows.ts';
import { findPending, insertPending, toRequester, toPending, toUpload, type PendingRow } from './pendingLists.ts';
import { isSessionProven, ownsSession } from './proofs.ts';
import { lockAccount } from './signInMethods.ts';

async function loadState(
  trx: Knex,
  requester: RequestingSession,
  now: Date,
): Promise<DeviceListState & { ownDevice: DeviceListState['ownDevice'] }> {
  const { userId } = requester;
  const newest = await loadNewestList(trx, userId);
  return {
    userId,
    newest,
    listAt: (n) => trx('device_lists').where({ user_id: userId, chain: newest?.chain, n }).first('body', 'hash'),
    devices: await listKnownDevices(trx, userId, now),
    ownDevice: await findDeviceOfSession(trx, requester),
  };
}

/**
 * Returns whether the signing device added as much as it may in a day. Removals and lists by the recovery key are not
 * limited, so that whoever holds a stolen device can keep nobody from removing it (section 9).
 */
async function isLimited(
  trx: Knex,
  { userId }: RequestingSession,
  { checked: { list }, added }: DeviceListPlan,
  now: Date,
): Promise<boolean> {
  if (added.length === 0 || equalBytes(list.signer, recoverySigner)) return false;
  const { points, durationSeconds } = rateLimits.deviceListsPerDeviceDay;
  const query = trx('device_lists')
    .where({ user_id: userId, adds: true })
    .where('created_at', '>', new Date(now.getTime() - durationSeconds * 1_000));
  // A new identity begins with a new device, so those count together.
  void (list.n === 0 ? query.where({ n: 0 }) : query.where({ signer: toUuid(list.signer) }));
  const [row] = (await query.count({ count: '*' })) as { count: number }[];
  return Number(row?.count ?? 0) >= points;
}

/** Stores a list until its epoch is accepted, with all that decides about it, so that each try has one outcome. */
async function wait(
  trx: Knex,
  requester: RequestingSession,
  { ownDevice, devices }: DeviceListState,
  plan: DeviceListPlan,
  upload: DeviceListUpload & { vault: NonNullable<DeviceListUpload['vault']> },
  { replaces, now }: { replaces: boolean; now: Date },
): Promise<DeviceListOutcome> {
  const committer = upload.lost ? (toUuid(plan.checked.list.signer) as DeviceId) : (plan.claimed ?? ownDevice);
  if (!committer) return { outcome: 'device_mismatch' };
  const staying = devices.filter(({ id }) => findDevice(plan.checked.list, fromUuid(id)));
  const { hash, identity } = plan.checked;
  const row = await insertPending(trx, requester, upload, {
    own_device: ownDevice ?? null,
    replaces,
    hash: Buffer.from(hash),
    identity: Buffer.from(identity),
    committer,
    suspended: staying.filter(({ suspended }) => suspended).map(({ id }) => id),
    keyless: staying.filter(({ keyless }) => keyless).map(({ id }) => id),
    received_at: now,
  });
  return { outcome: 'pending', pending: toPending(row) };
}

/** Accepts what waits. Sessions and proofs were checked when it arrived, and its epoch is accepted already. */
async function acceptRow(
  trx: Knex,
  row: PendingRow,
  email: string | null,
  now: Date,
): Promise<AcceptedOutcome | undefined> {
  const requester = toRequester(row);
  const upload = toUpload(row);
  const state = { ...(await loadState(trx, requester, now)), ownDevice: row.own_device ?? undefined };
  const verdict = await judgeDeviceList(state, upload, { replaces: row.replaces });
  await trx('pending_lists').where({ user_id: row.user_id }).delete();
  if (verdict.verdict === 'repeated') return { ...verdict, outcome: 'repeated' };
  if (verdict.verdict !== 'in_order')
    throw new Error(`A list whose epoch was accepted is refused: ${verdict.verdict}.`);
  return applyDeviceList(trx, requester, verdict.plan, upload, { email, now });
}

type Accepted = Extract<AcceptedOutcome, { outcome: 'accepted' }>;

/**
 * @param wake called after a commit that wrote to the outbox
 * @param onAccepted called after a list was accepted, whoever settled it
 */
export function createDeviceListStore(
  db: Knex,
  wake: () => void,
  onAccepted: (accepted: Accepted) => Promise<void>,
): DeviceListStore {
  const notify = async (outcome: Accepted): Promise<void> => {
    wake();
    await onAccepted(outcome);
  };
  const judgeAndAdd = async (
    trx: Knex,
    requester: RequestingSession,
    upload: DeviceListUpload,
    { replaces, email, now }: { replaces: boolean; email: string | null; now: Date },
  ): Promise<DeviceListOutcome> => {
    const state = await loadState(trx, requester, now);
    const verdict = await judgeDeviceList(state, upload, { replaces });
    if (verdict.verdict === 'repeated') return { ...verdict, outcome: 'repeated' };
    if (verdict.verdict !== 'in_order') return { outcome: verdict.verdict };
    const { plan } = verdict;
    if (plan.needsProof && !(await isSessionProven(trx, requester, now))) return { outcome: 'unproven' };
    if (await isLimited(trx, requester, plan, now)) return { outcome: 'limited' };
    const { vault } = upload;
    if (vault) return wait(trx, requester, state, plan, { ...upload, vault }, { replaces, now });
    if (plan.needsVault) return { outcome: 'vault_missing' };
    return applyDeviceList(trx, requester, plan, upload, { email, now });
  };

  return {
    async add(requester, upload, { replaces }, now) {
      const outcome = await inTransaction(db, async (trx): Promise<DeviceListOutcome> => {
        const account = await lockAccount(trx, requester.userId);
        if (!account || !(await ownsSession(trx, requester, now))) return { outcome: 'session_missing' };
        const row = await findPending(trx, requester.userId);
        if (row) {
          const isSame = equalBytes(row.body, upload.list.body);
          return { outcome: isSame ? 'pending' : 'blocked', pending: toPending(row) };
        }
        if (replaces && !(await isSessionProven(trx, requester, now))) return { outcome: 'unproven' };
        return judgeAndAdd(trx, requester, upload, { replaces, email: account.email, now });
      });
      if (outcome.outcome === 'accepted') await notify(outcome);
      return outcome;
    },

    async pendingOf(userId) {
      const row = await findPending(db, userId);
      return row && toPending(row);
    },

    listPending: (before, limit) =>
      db('pending_lists').where('received_at', '<=', before).orderBy('received_at').limit(limit).pluck('user_id'),

    async accept({ id, userId }, now) {
      const outcome = await inTransaction(db, async (trx) => {
        const account = await lockAccount(trx, userId);
        const row = account && (await findPending(trx, userId));
        return account && row?.id === id ? acceptRow(trx, row, account.email, now) : undefined;
      });
      if (outcome?.outcome === 'accepted') await notify(outcome);
      return outcome;
    },

    async drop({ id, userId }) {
      await db('pending_lists').where({ user_id: userId, id }).delete();
    },
  };
}
