import { Refusal, toUuid } from '@nolo/e2ee';
import type { Knex } from '@nolo/kit/db';
import type { SessionId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import type { AcceptedOutcome, DeviceId, DeviceListPlan, DeviceListUpload } from '../domain/keyPorts.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { filterWithoutDevice, sendDevicesChanged } from './deviceRows.ts';
import { createSessionsEndedEntries } from './outboxEntries.ts';
import { ownsSession } from './proofs.ts';
import { addSecurityNotice } from './securityNotices.ts';

/** Removes devices and ends their sessions. Returns the hashes of the ended sessions. */
async function removeDevices(
  trx: Knex,
  { userId, sessionId }: RequestingSession,
  { removed, claimed, endsSessions }: DeviceListPlan,
  now: Date,
): Promise<Buffer[]> {
  if (removed.length === 0) return [];
  const sessionIds: (SessionId | null)[] = await trx('devices').whereIn('id', removed).pluck('session_id');
  await trx('devices').whereIn('id', removed).update({ removed_at: now, session_id: null });
  await trx('box_keys').whereIn('device_id', removed).delete();
  // A device that replaces the session's former one continues in the session.
  const ends = sessionIds.filter((id) => id !== null && endsSessions && !(claimed && id === sessionId));
  const ended: { id: SessionId; token_hash: Buffer }[] = await trx('sessions')
    .whereIn('id', ends as SessionId[])
    .delete(['id', 'token_hash']);
  await enqueue(
    trx,
    ...createSessionsEndedEntries(
      userId,
      ended.map(({ id }) => id),
    ),
  );
  return ended.map(({ token_hash: hash }) => hash);
}

/** Returns the sessions of added devices: that of the request, and those that offered a device by a link. */
async function findSessions(
  trx: Knex,
  requester: RequestingSession,
  { added, claimed }: DeviceListPlan,
  now: Date,
): Promise<Map<DeviceId, SessionId>> {
  const { userId, sessionId } = requester;
  const links: { deviceId: DeviceId; sessionId: SessionId }[] = await trx('device_links')
    .where({ user_id: userId })
    .whereIn(
      'device_id',
      added.map(({ id }) => id),
    )
    .where('expires_at', '>', now)
    .update({ linked_at: now }, ['device_id as deviceId', 'session_id as sessionId']);
  const sessions = new Map(links.map((link) => [link.deviceId, link.sessionId]));
  // A browser that lost its keys is linked again in the same session. The device that it was is suspended.
  await trx('devices')
    .whereIn('session_id', [...sessions.values()])
    .update({ session_id: null });
  // The session may have ended, or got another device, while the list waited. The device then claims one.
  const isFree = claimed && (await filterWithoutDevice(trx, [sessionId])).has(sessionId);
  if (isFree && (await ownsSession(trx, requester, now))) sessions.set(claimed, sessionId);
  return sessions;
}

/** Inserts devices with their box keys. A device without a session is suspended until it claims one. */
async function addDevices(
  trx: Knex,
  { userId }: RequestingSession,
  { added, chain }: DeviceListPlan,
  sessions: ReadonlyMap<DeviceId, SessionId>,
  now: Date,
): Promise<void> {
  if (added.length === 0) return;
  const agents: { id: SessionId; user_agent: string }[] = await trx('sessions')
    .whereIn('id', [...sessions.values()])
    .select('id', 'user_agent');
  const rows = added.map(({ id, kind, signKey }) => {
    const sessionId = sessions.get(id) ?? null;
    return {
      id,
      user_id: userId,
      session_id: sessionId,
      chain,
      kind,
      sign_key: Buffer.from(signKey),
      name: agents.find((agent) => agent.id === sessionId)?.user_agent ?? '',
      created_at: now,
      suspended_at: sessionId === null && kind !== 2 ? now : null,
    };
  });
  const inserted: unknown[] = await trx('devices').insert(rows).onConflict().ignore().returning('id');
  if (inserted.length < rows.length) throw new Refusal('order', 'a device id or key that was used before');
  const keys = added.flatMap(({ id, boxKeys }) => {
    if (!boxKeys) return [];
    const { number, at, statement } = boxKeys;
    const { body, signature } = statement;
    return [{ device_id: id, number, body: Buffer.from(body), signature: Buffer.from(signature), at }];
  });
  if (keys.length > 0) await trx('box_keys').insert(keys);
}

/**
 * Accepts a list: adds and removes devices, stores the list, and notifies clients, services, and the owner. Runs under
 * the lock of the account.
 *
 * @throws Refusal if a device was used before
 */
export async function applyDeviceList(
  trx: Knex,
  requester: RequestingSession,
  plan: DeviceListPlan,
  { list: { body, signature } }: Pick<DeviceListUpload, 'list'>,
  { email, now }: { email: string | null; now: Date },
): Promise<AcceptedOutcome> {
  const { userId, sessionId } = requester;
  const { chain, checked, claimed, dropsSeeds } = plan;
  const { n, signer } = checked.list;
  const endedTokenHashes = await removeDevices(trx, requester, plan, now);
  const sessions = await findSessions(trx, requester, plan, now);
  await addDevices(trx, requester, plan, sessions, now);
  await trx('device_lists').insert({
    user_id: userId,
    chain,
    n,
    body: Buffer.from(body),
    signature: Buffer.from(signature),
    hash: Buffer.from(checked.hash),
    signer: toUuid(signer),
    adds: plan.added.length > 0,
    created_at: now,
  });
  // A seed of the former recovery key opens nothing of the new one.
  if (dropsSeeds) await trx('passkey_seeds').where({ user_id: userId }).delete();
  await sendDevicesChanged(trx, userId);
  for (const kind of plan.notices) await addSecurityNotice(trx, { userId, sessionId, kind, change: {}, email, now });
  const linked = sessions.size - (claimed && sessions.has(claimed) ? 1 : 0);
  return { outcome: 'accepted', chain, n, hash: checked.hash, endedTokenHashes, linked };
}
