import {
  deviceLinkStates,
  routes,
  type AccountKeys,
  type DeviceLink,
  type OwnDevice,
  type OwnKeys,
  type RouteBody,
} from '@nolo/api';
import { createInternalError } from '@nolo/kit/errors';
import type { DeviceLink as DeviceLinkRow } from '@nolo/proto/deviceLinks';
import type {
  AcceptedDeviceList,
  AccountKeys as AccountKeysRow,
  ListPosition,
  OwnDevice as OwnDeviceRow,
} from '@nolo/proto/keys';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { callerOf } from './callerOf.ts';
import { fromNewEpoch } from '../mapping/epochs.ts';
import { fromSigned, toBytes, toSigned, toText, toTextOrNull } from '../mapping/keys.ts';
import { toIsoTime } from '../mapping/people.ts';

const toPosition = ({ chain = 0, n = 0 }: ListPosition = {}) => ({ chain, n });

/** Converts a position of a request. `after` alone counts in the newest chain. */
const afterOf = ({ chain, after }: { chain?: number | undefined; after?: number | undefined }) =>
  chain === undefined && after === undefined ? undefined : { chain, n: after };

const toAccountKeys = ({
  userId = '',
  newest,
  lists,
  more = false,
  boxKeys,
  suspended,
}: AccountKeysRow): AccountKeys => ({
  userId,
  newest: newest ? toPosition(newest) : null,
  lists: lists.map(({ position, statement }) => ({ ...toPosition(position), ...toSigned(statement) })),
  more,
  boxKeys: boxKeys.map(({ deviceId = '', number = 0, statement }) => ({ deviceId, number, ...toSigned(statement) })),
  suspended,
});

type DeviceBoxKeys = Pick<AccountKeys['boxKeys'][number], 'deviceId' | 'number'>;

const nameOfBoxKeys = ({ deviceId, number }: DeviceBoxKeys): string => `${deviceId}/${number}`;

const toPlace = ({ country, city }: { country?: string | undefined; city?: string | undefined }) =>
  country === undefined ? null : { country, ...(city === undefined ? {} : { city }) };

const deviceKinds = [0, 1, 2] as const;

const toOwnDevice = (row: OwnDeviceRow): OwnDevice => ({
  id: row.id ?? '',
  kind: deviceKinds.find((kind) => kind === row.kind) ?? 0,
  name: row.name ?? '',
  createdAt: toIsoTime(row.createdAt),
  lastUsedAt: row.lastUsedAt ? toIsoTime(row.lastUsedAt) : null,
  network: row.network ?? null,
  place: toPlace(row),
  current: row.current ?? false,
  suspendedAt: row.suspendedAt ? toIsoTime(row.suspendedAt) : null,
  sessionExpired: row.sessionExpired ?? false,
  sessionId: row.sessionId ?? null,
});

const toDeviceLink = (row: DeviceLinkRow): DeviceLink => ({
  id: row.id ?? '',
  state: deviceLinkStates.find((state) => state === row.state) ?? 'opened',
  own: row.own ?? false,
  expiresAt: toIsoTime(row.expiresAt),
  commitment: toTextOrNull(row.commitment),
  offer: toTextOrNull(row.offer?.offer),
  newRandom: toTextOrNull(row.offer?.random),
  oldRandom: toTextOrNull(row.challenge?.random),
  head: toTextOrNull(row.challenge?.head),
  answer: toTextOrNull(row.answer),
  done: toTextOrNull(row.done),
  userAgent: row.name ?? '',
  place: toPlace(row),
});

const toAccepted = ({ position, hash }: AcceptedDeviceList) => ({ ...toPosition(position), hash: toText(hash) });

const fromNewList = ({ list, boxKeys, vault }: RouteBody<typeof routes.replaceIdentity>) => ({
  list: fromSigned(list),
  boxKeys: boxKeys.map(fromSigned),
  vault: vault && fromNewEpoch(vault),
});

export function bindKeys(bind: BindRoute, { keys, sessions }: Pick<GatewayContext, 'keys' | 'sessions'>): void {
  bind(routes.getOwnKeys, async ({ actor, query, rpc }): Promise<OwnKeys> => {
    const own = await keys.getOwnKeys({ ...callerOf(actor), after: afterOf(query) }, rpc);
    if (!own.account) throw createInternalError(new Error('identity returned no account.'));
    return {
      ...toAccountKeys(own.account),
      sessionId: actor.sessionId,
      devices: own.devices.map(toOwnDevice),
      seeds: own.seeds.map(({ passkeyId = '', credentialId, wrapped }) => ({
        passkeyId,
        credentialId: toText(credentialId),
        wrapped: toText(wrapped),
      })),
      links: own.linkIds,
    };
  });

  bind(routes.getUserKeys, async ({ actor, params, query, rpc }) => {
    const accounts = [{ userId: params.id, after: afterOf(query) }];
    const [found] = (await keys.findKeys({ actorId: actor.userId, accounts }, rpc)).accounts;
    if (!found) throw createGatewayError('not_found', 'user_not_found', 'User not found.');
    return toAccountKeys(found);
  });

  bind(routes.lookUpKeys, async ({ actor, body, rpc }) => {
    const accounts = body.accounts.map(({ userId, ...position }) => ({ userId, after: afterOf(position) }));
    const known = new Set(body.accounts.flatMap((one) => (one.known ?? []).map(nameOfBoxKeys)));
    const isAsked = (keys: DeviceBoxKeys): boolean => body.boxKeys !== false && !known.has(nameOfBoxKeys(keys));
    const found = (await keys.findKeys({ actorId: actor.userId, accounts }, rpc)).accounts.map(toAccountKeys);
    return found.map(({ boxKeys, ...account }) => ({ ...account, boxKeys: boxKeys.filter(isAsked) }));
  });

  bind(routes.addDeviceList, async ({ actor, body, rpc }) => {
    const upload = { ...fromNewList(body), removes: body.removes, lost: body.lost };
    const added = await keys.addDeviceList({ ...callerOf(actor), ...upload }, rpc);
    // A list may have ended sessions.
    sessions.recheck(actor.userId);
    return toAccepted(added);
  });

  bind(routes.replaceIdentity, async ({ actor, body, rpc }) => {
    const upload = { ...fromNewList(body), removes: undefined, lost: undefined };
    return toAccepted(await keys.replaceIdentity({ ...callerOf(actor), ...upload }, rpc));
  });

  bind(routes.renewBoxKeys, async ({ actor, body, rpc }) => {
    await keys.renewBoxKeys({ ...callerOf(actor), statement: fromSigned(body.boxKeys) }, rpc);
  });

  bind(routes.claimDevice, async ({ actor, params, body, rpc }) => {
    const signature = toBytes(body.signature);
    await keys.claimDevice({ ...callerOf(actor), deviceId: params.id, signature }, rpc);
  });

  bind(routes.putRecoverySeed, async ({ actor, params, body, rpc }) => {
    const wrapped = toBytes(body.wrapped);
    await keys.putRecoverySeed({ ...callerOf(actor), passkeyId: params.id, wrapped }, rpc);
  });

  bind(routes.deleteRecoverySeed, async ({ actor, params, rpc }) => {
    await keys.deleteRecoverySeed({ ...callerOf(actor), passkeyId: params.id }, rpc);
  });

  bindDeviceLinks(bind, keys);
}

function bindDeviceLinks(bind: BindRoute, keys: GatewayContext['keys']): void {
  bind(routes.beginDeviceLink, async ({ actor, body, rpc }) => {
    const first =
      'offer' in body
        ? { $case: 'offer' as const, value: toBytes(body.offer) }
        : { $case: 'commitment' as const, value: toBytes(body.commitment) };
    return toDeviceLink(await keys.beginLink({ ...callerOf(actor), first }, rpc));
  });

  bind(routes.getDeviceLink, async ({ actor, params, rpc }) =>
    toDeviceLink(await keys.getLink({ ...callerOf(actor), linkId: params.id }, rpc)),
  );

  bind(routes.challengeDeviceLink, async ({ actor, params, body, rpc }) => {
    const value = { random: toBytes(body.random), head: toBytes(body.head) };
    const step = { $case: 'challenge' as const, value };
    return toDeviceLink(await keys.continueLink({ ...callerOf(actor), linkId: params.id, step }, rpc));
  });

  bind(routes.openDeviceLink, async ({ actor, params, body, rpc }) => {
    const value = { random: toBytes(body.random), offer: toBytes(body.offer) };
    const step = { $case: 'opening' as const, value };
    return toDeviceLink(await keys.continueLink({ ...callerOf(actor), linkId: params.id, step }, rpc));
  });

  bind(routes.answerDeviceLink, async ({ actor, params, body, rpc }) => {
    const step = { $case: 'answer' as const, value: toBytes(body.answer) };
    return toDeviceLink(await keys.continueLink({ ...callerOf(actor), linkId: params.id, step }, rpc));
  });

  bind(routes.confirmDeviceLink, async ({ actor, params, body, rpc }) => {
    const step = { $case: 'done' as const, value: toBytes(body.done) };
    return toDeviceLink(await keys.continueLink({ ...callerOf(actor), linkId: params.id, step }, rpc));
  });

  bind(routes.endDeviceLink, async ({ actor, params, rpc }) => {
    await keys.endLink({ ...callerOf(actor), linkId: params.id }, rpc);
  });
}
