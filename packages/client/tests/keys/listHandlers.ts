import type { AccountKeys, NewEpoch, RouteBody, routes } from '@nolo/api';
import {
  checkBoxKeys,
  checkClaim,
  checkFirstList,
  checkNextList,
  equalBytes,
  findDevice,
  fromUuid,
  hashOfList,
  readBoxKeys,
  readList,
  toUuid,
  type Bytes,
  type CheckedList,
} from '@nolo/e2ee';
import { fromSigned, fromText, toText } from '../../src/keys/wire.ts';
import {
  refuse,
  toRefused,
  type Signed,
  type ServedDevice,
  type Session,
  type Handler,
  type ServedState,
} from './servedState.ts';
import { commit } from './vaultHandlers.ts';

/** Handlers of device lists, box keys, and recovery seeds. */

export const listHandlers = (server: ServedState): Record<string, Handler> => ({
  async getOwnKeys(session, { query = {} }) {
    const account = server.account(session.userId);
    const open = [...server.links.values()].filter((one) => one.userId === session.userId && server.isOpen(one));
    return {
      ...publicKeys(server, session.userId, query),
      sessionId: session.id,
      devices: [...account.devices.values()].map(({ id, kind, session: of, suspendedAt }) => ({
        id,
        kind,
        name: server.names.get(of ?? '') ?? '',
        createdAt: new Date(server.now()).toISOString(),
        lastUsedAt: null,
        network: null,
        place: null,
        current: of === session.id,
        suspendedAt,
        sessionExpired: false,
        sessionId: of,
      })),
      seeds: [...account.seeds].map(([passkeyId, wrapped]) => ({ passkeyId, credentialId: 'AA', wrapped })),
      links: open.map(({ id }) => id),
    };
  },

  async getUserKeys(_, { params, query = {} }) {
    return publicKeys(server, String(params?.['id']), query);
  },

  async lookUpKeys(_, { body }) {
    const { accounts, boxKeys } = body as RouteBody<typeof routes.lookUpKeys>;
    return accounts.map(({ userId, known = [], ...position }) => {
      const reply = publicKeys(server, userId, position);
      const isAsked = ({ deviceId, number }: AccountKeys['boxKeys'][number]) =>
        boxKeys !== false && !known.some((one) => one.deviceId === deviceId && one.number === number);
      return { ...reply, boxKeys: reply.boxKeys.filter(isAsked) };
    });
  },

  async addDeviceList(session, { body }) {
    return addList(server, session, body as ListBody, false);
  },

  async replaceIdentity(session, { body }) {
    if (!server.isProven) refuse(403, 'proof_required');
    return addList(server, session, body as ListBody, true);
  },

  async renewBoxKeys(session, { body }) {
    const device = server.requireDevice(session);
    const { boxKeys } = body as { boxKeys: Signed };
    const { list } = await server.checked(server.account(session.userId));
    const { number } = await checkBoxKeys(fromSigned(boxKeys), list, fromUuid(device.id)).catch(toRefused);
    if (device.boxKeys?.body === boxKeys.body) return;
    if (device.boxKeys && number <= device.boxKeys.number) refuse(400, 'box_keys_refused');
    device.boxKeys = { ...boxKeys, number };
  },

  async claimDevice(session, { params, body }) {
    const account = server.account(session.userId);
    const device = account.devices.get(String(params?.['id'])) ?? refuse(404, 'device_not_found');
    const own = server.deviceOf(session);
    if (own && own.id !== device.id) refuse(409, 'device_present');
    const listed = findDevice((await server.checked(account)).list, fromUuid(device.id));
    const claim = { account: fromUuid(session.userId), device: fromUuid(device.id), session: fromUuid(session.id) };
    if (listed)
      await checkClaim(claim, listed.signKey, fromText((body as { signature: string }).signature)).catch(toRefused);
    device.session = session.id;
    device.suspendedAt = null;
  },

  async putRecoverySeed(session, { params, body }) {
    server.requireDevice(session);
    server.account(session.userId).seeds.set(String(params?.['id']), (body as { wrapped: string }).wrapped);
  },

  async deleteRecoverySeed(session, { params }) {
    server.account(session.userId).seeds.delete(String(params?.['id']));
  },
});

interface ListBody {
  list: Signed;
  boxKeys: Signed[];
  vault?: NewEpoch;
  removes?: boolean;
  lost?: boolean;
}

function publicKeys(
  server: ServedState,
  userId: string,
  { chain, after }: { chain?: number; after?: number },
): AccountKeys {
  const account = server.account(userId);
  const newest = server.newest(account);
  const from = { chain: chain ?? newest?.chain ?? 0, n: after ?? -1 };
  const lists = account.chains.flatMap((of, number) => of.map((signed, n) => ({ chain: number, n, ...signed })));
  const after_ = lists.filter((one) => one.chain > from.chain || (one.chain === from.chain && one.n > from.n));
  return {
    userId,
    newest,
    lists: after_.slice(0, 3),
    more: after_.length > 3,
    boxKeys: [...account.devices.values()].flatMap(({ id, boxKeys }) =>
      boxKeys ? [{ deviceId: id, ...boxKeys }] : [],
    ),
    suspended: [...account.devices.values()].filter((one) => one.suspendedAt !== null).map(({ id }) => id),
  };
}

async function addList(server: ServedState, session: Session, body: ListBody, replaces: boolean) {
  const account = server.account(session.userId);
  const statement = fromSigned(body.list);
  const read = readList(statement);
  const current = account.chains.at(-1);
  const stored = current?.[read.n];
  const position = (n: number, hash: Bytes) => ({ chain: account.chains.length - 1, n, hash: toText(hash) });
  if (stored?.body === body.list.body) return position(read.n, await hashOfList(statement));
  const isLost = body.lost === true && !replaces;
  if (body.removes && !server.isProven) refuse(403, 'proof_required');
  if (current && !replaces && stored) refuse(409, 'list_conflict');
  const before = current && !replaces ? await server.checked(account) : null;
  const checked = await (before ? checkNextList(before, statement) : checkFirstList(statement)).catch(toRefused);
  const added = checked.list.devices.filter(({ id }) => !before || !findDevice(before.list, id));
  if (!isLost) await checkSigner(server, session, checked, before, added.length > 0);
  const isRecovery = before !== null && !sameRecovery(before, checked);
  if (added.length > 0 || isRecovery || !before) {
    if (!body.vault) refuse(400, 'list_refused');
    else await commit(server, checked.identity, session.userId, body.vault, { list: checked, isLost });
  }
  if (before && !replaces) current?.push(body.list);
  else account.chains.push([body.list]);
  if (!before) account.devices.clear();
  for (const one of account.devices.keys()) if (!findDevice(checked.list, fromUuid(one))) account.devices.delete(one);
  for (const { id, kind } of added) {
    const own = body.boxKeys.find((keys) => equalBytes(readBoxKeys(fromSigned(keys)).device, id));
    if (!own && !isLost) return refuse(400, 'list_refused');
    const linked = [...server.links.values()].find((one) => one.offeredDevice === toUuid(id));
    for (const former of account.devices.values())
      if (linked && former.session === linked.session)
        Object.assign(former, { session: null, suspendedAt: new Date(server.now()).toISOString() });
    const device: ServedDevice = {
      id: toUuid(id),
      kind,
      session: linked?.session ?? (isLost ? null : session.id),
      boxKeys: own && { ...own, number: readBoxKeys(fromSigned(own)).number },
      suspendedAt: isLost && !linked ? new Date(server.now()).toISOString() : null,
    };
    account.devices.set(device.id, device);
  }
  if (before && isRecovery && before.list.recovery) account.seeds.clear();
  server.emit(session.userId, { type: 'devices_changed', data: { userId: session.userId, ...server.newest(account) } });
  return position(read.n, checked.hash);
}

async function checkSigner(
  server: ServedState,
  session: Session,
  checked: CheckedList,
  before: CheckedList | null,
  adds: boolean,
): Promise<void> {
  const own = server.deviceOf(session)?.id;
  if (!before) return;
  const isRecovery = checked.list.signer.every((byte) => byte === 0);
  if (!isRecovery && own !== toUuid(checked.list.signer)) refuse(403, 'device_mismatch');
  if (isRecovery && adds && own) refuse(409, 'device_present');
}

const sameRecovery = ({ list: a }: CheckedList, { list: b }: CheckedList): boolean =>
  a.recovery && b.recovery ? equalBytes(a.recovery.signKey, b.recovery.signKey) : a.recovery === b.recovery;
