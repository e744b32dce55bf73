import { Refusal } from '@nolo/e2ee';
import { parseActorId, parseId, type SessionId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type {
  AccountKeys as AccountKeysMessage,
  AddDeviceListRequest,
  KeyServiceDefinition,
  OwnDevice as OwnDeviceMessage,
} from '@nolo/proto/keys';
import { limits } from '@nolo/rules';
import type {
  AcceptedOutcome,
  AccountKeys,
  DeviceId,
  DeviceListOutcome,
  DeviceListUpload,
  KeyQuery,
  OwnDevice,
  RefusedOutcome,
} from '../domain/keyPorts.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import {
  deviceMismatch,
  deviceNotFound,
  devicePresent,
  deviceRequired,
  listConflict,
  listLimited,
  listPending,
  toRefusedError,
  vaultMissing,
} from './keyErrors.ts';
import { readPosition, readSignature, readStatement, readVaultEpoch } from './keyRequests.ts';
import { proofRequired, readRequestingSession, sessionInvalid } from './proofErrors.ts';

type Methods = typeof KeyServiceDefinition.methods;

/** Reads the session of a request. A personal access token has no devices. */
export const readSession = ({
  actorId = '',
  sessionId = '',
}: {
  actorId?: string | undefined;
  sessionId?: string | undefined;
}) => readRequestingSession({ actorId, sessionId });

const toStatement = ({ body, signature }: { body: Uint8Array; signature: Uint8Array }) => ({
  body: Buffer.from(body),
  signature: Buffer.from(signature),
});

const toAccountKeys = ({ userId, newest, lists, more, boxKeys, suspended }: AccountKeys): AccountKeysMessage => ({
  userId,
  newest,
  lists: lists.map(({ chain, n, statement }) => ({ position: { chain, n }, statement: toStatement(statement) })),
  more,
  boxKeys: boxKeys.map(({ deviceId, number, statement }) => ({
    deviceId,
    number,
    statement: toStatement(statement),
  })),
  suspended,
});

const toOwnDevice = (device: OwnDevice): OwnDeviceMessage => ({
  ...device,
  lastUsedAt: device.lastUsedAt ?? undefined,
  sessionId: device.sessionId ?? undefined,
  network: device.network ?? undefined,
  country: device.country ?? undefined,
  city: device.city ?? undefined,
  suspendedAt: device.suspendedAt ?? undefined,
});

export function getOwnKeys({ clock, deviceLinks, keys, listSettler }: Dependencies): RpcHandler<Methods['getOwnKeys']> {
  return async (request) => {
    const requester = readSession(request);
    await listSettler.settleOf(requester.userId);
    const now = clock.now();
    const query = { userId: requester.userId, after: readPosition(request.after) };
    const [[account], devices, seeds, linkIds] = await Promise.all([
      keys.find([query], limits.deviceListsPerPage, now),
      keys.devices(requester, now),
      keys.seeds(requester.userId),
      deviceLinks.list(requester, now),
    ]);
    return { account: account && toAccountKeys(account), devices: devices.map(toOwnDevice), seeds, linkIds };
  };
}

/**
 * Returns what members need to check headers that name closed or deleted accounts: signed lists and suspended devices.
 * Nothing is sealed to these accounts, so box keys are left out.
 */
async function findClosed(
  { clock, keys, namedAccounts }: Pick<Dependencies, 'clock' | 'keys' | 'namedAccounts'>,
  actor: UserId,
  queries: readonly KeyQuery[],
  listsEach: number,
): Promise<AccountKeys[]> {
  if (queries.length === 0) return [];
  const found = (await keys.find(queries, listsEach, clock.now())).filter(({ newest }) => newest !== undefined);
  if (found.length === 0) return [];
  const named = await namedAccounts.amongThoseOf(
    actor,
    found.map(({ userId }) => userId),
  );
  return found.filter(({ userId }) => named.has(userId)).map((account) => ({ ...account, boxKeys: [] }));
}

export function findKeys(dependencies: Dependencies): RpcHandler<Methods['findKeys']> {
  const { clock, keys, people } = dependencies;
  return async (request) => {
    const actor = parseActorId(request.actorId ?? '');
    if (request.accounts.length > limits.keyLookupAccounts)
      throw createIdentityError(
        'invalid',
        'too_many_ids',
        `You can ask about at most ${limits.keyLookupAccounts} accounts at once.`,
      );
    const queries = request.accounts.flatMap(({ userId: id, after }): KeyQuery[] => {
      const userId = parseId<UserId>(id);
      return userId ? [{ userId, after: readPosition(after) }] : [];
    });
    // An account that is named twice is answered once, as first asked.
    const once = queries.filter(({ userId }, at) => queries.findIndex((other) => other.userId === userId) === at);
    // The rule for profiles: accounts that are open.
    const visible = new Set(
      (
        await people.acquaintances(
          actor,
          once.map(({ userId }) => userId),
        )
      ).map(({ id }) => id),
    );
    const open = once.filter(({ userId }) => visible.has(userId));
    const others = once.filter(({ userId }) => !visible.has(userId));
    const listsEach = request.accounts.length > 1 ? limits.deviceListsPerLookup : limits.deviceListsPerPage;
    const found = [
      ...(await keys.find(open, listsEach, clock.now())),
      ...(await findClosed(dependencies, actor, others, listsEach)),
    ];
    const byId = new Map(found.map((account) => [account.userId, account]));
    return { accounts: once.flatMap(({ userId }) => byId.get(userId) ?? []).map(toAccountKeys) };
  };
}

export function getListState({ clock, keys, listSettler }: Dependencies): RpcHandler<Methods['getListState']> {
  return async (request) => {
    const userId = parseActorId(request.userId ?? '');
    await listSettler.settleOf(userId);
    const named = request.named && Buffer.from(request.named);
    const state = await keys.state(userId, { sessionId: parseId<SessionId>(request.sessionId), named }, clock.now());
    if (!state) return { suspended: [], keyless: [] };
    const { device: deviceId, ...newest } = state;
    return { ...newest, deviceId };
  };
}

const readHashes = (hashes: readonly Buffer[]): Buffer[] => hashes.map((hash) => Buffer.from(hash));

export function findListStates({ clock, keys }: Dependencies): RpcHandler<Methods['findListStates']> {
  return async ({ sessionId, accounts }) => {
    const names = accounts.map(({ named, known }) => named.length + known.length);
    if (accounts.length > limits.listStateAccounts || names.some((count) => count > limits.listStateNames))
      throw createIdentityError('invalid', 'too_many_ids', 'Too many accounts or lists in one request.');
    const queries = accounts.map(({ userId = '', named, known }) => ({
      userId: parseActorId(userId),
      named: readHashes(named),
      known: readHashes(known),
    }));
    return { accounts: await keys.states(queries, parseId<SessionId>(sessionId), clock.now()) };
  };
}

function readUpload({ list, boxKeys, vault, lost }: AddDeviceListRequest, replaces: boolean): DeviceListUpload {
  if (boxKeys.length > limits.devicesPerAccount) throw new Refusal('malformed', 'more box keys than devices');
  return {
    list: readStatement(list, limits.deviceListBytes),
    boxKeys: boxKeys.map((statement) => readStatement(statement, limits.boxKeysBytes)),
    vault: readVaultEpoch(vault),
    lost: lost === true && !replaces,
  };
}

const refusals = {
  conflict: listConflict,
  unproven: proofRequired,
  session_missing: sessionInvalid,
  device_mismatch: deviceMismatch,
  device_present: devicePresent,
  vault_missing: vaultMissing,
  limited: listLimited,
} satisfies Record<RefusedOutcome, () => Error>;

/** Rounds after which a list that always meets another one is given up. */
const maxRounds = 5;

/** Adds a list, with its epoch if it has one, and counts the outcome. */
function addList(dependencies: Dependencies, replaces: boolean) {
  const { clock, deviceLists, listSettler, metrics } = dependencies;

  const tryToAdd = async (request: AddDeviceListRequest): Promise<DeviceListOutcome> => {
    try {
      return await deviceLists.add(readSession(request), readUpload(request, replaces), { replaces }, clock.now());
    } catch (error) {
      if (error instanceof Refusal) metrics.deviceLists.inc({ outcome: error.code });
      throw toRefusedError('list_refused', error);
    }
  };

  const add = async (request: AddDeviceListRequest): Promise<AcceptedOutcome | { outcome: RefusedOutcome }> => {
    for (let round = 0; round < maxRounds; round += 1) {
      const added = await tryToAdd(request);
      if (added.outcome === 'pending') {
        const settled = await listSettler.settle(added.pending);
        if (settled) return settled;
      } else if (added.outcome === 'blocked') {
        if (!(await listSettler.settleOf(added.pending.userId))) break;
      } else {
        return added;
      }
    }
    throw listPending();
  };

  return async (request: AddDeviceListRequest) => {
    const added = await add(request);
    metrics.deviceLists.inc({ outcome: added.outcome });
    if (added.outcome !== 'accepted' && added.outcome !== 'repeated') throw refusals[added.outcome]();
    const { chain, n, hash } = added;
    return { position: { chain, n }, hash: Buffer.from(hash) };
  };
}

export function addDeviceList(dependencies: Dependencies): RpcHandler<Methods['addDeviceList']> {
  const { clock, proofs } = dependencies;
  const add = addList(dependencies, false);
  return async (request) => {
    if (request.removes && !(await proofs.isProven(readSession(request), clock.now()))) throw proofRequired();
    return add(request);
  };
}

export function replaceIdentity(dependencies: Dependencies): RpcHandler<Methods['replaceIdentity']> {
  const { clock, proofs } = dependencies;
  const add = addList(dependencies, true);
  return async (request) => {
    if (!(await proofs.isProven(readSession(request), clock.now()))) throw proofRequired();
    return add(request);
  };
}

export function renewBoxKeys({ devices }: Dependencies): RpcHandler<Methods['renewBoxKeys']> {
  return async (request) => {
    const requester = readSession(request);
    try {
      const statement = readStatement(request.statement, limits.boxKeysBytes);
      if ((await devices.renewBoxKeys(requester, statement)) === 'device_missing') throw deviceRequired();
      return {};
    } catch (error) {
      throw toRefusedError('box_keys_refused', error);
    }
  };
}

export function claimDevice({ clock, devices }: Dependencies): RpcHandler<Methods['claimDevice']> {
  return async (request) => {
    const requester = readSession(request);
    const deviceId = parseId<DeviceId>(request.deviceId);
    if (!deviceId) throw deviceNotFound();
    try {
      const signature = readSignature(request.signature);
      const outcome = await devices.claim(requester, deviceId, signature, clock.now());
      if (outcome === 'missing') throw deviceNotFound();
      if (outcome === 'device_present') throw devicePresent();
      if (outcome === 'session_missing') throw sessionInvalid();
      return {};
    } catch (error) {
      throw toRefusedError('claim_refused', error);
    }
  };
}

const passkeyNotFound = () =>
  createIdentityError('not_found', 'identity_not_found', 'This sign-in method was not found.');

export function putRecoverySeed({ clock, devices }: Dependencies): RpcHandler<Methods['putRecoverySeed']> {
  return async (request) => {
    const requester = readSession(request);
    const passkeyId = parseId(request.passkeyId);
    const wrapped = request.wrapped;
    if (!passkeyId) throw passkeyNotFound();
    if (!wrapped || wrapped.length === 0 || wrapped.length > limits.recoverySeedBytes)
      throw createIdentityError('invalid', 'invalid_request', 'The wrapped seed has a wrong length.', {
        field: 'wrapped',
      });
    const outcome = await devices.putSeed(requester, passkeyId, wrapped, clock.now());
    if (outcome === 'device_missing') throw deviceRequired();
    if (outcome === 'passkey_missing') throw passkeyNotFound();
    return {};
  };
}

export function deleteRecoverySeed({ devices }: Dependencies): RpcHandler<Methods['deleteRecoverySeed']> {
  return async (request) => {
    const requester = readSession(request);
    const passkeyId = parseId(request.passkeyId);
    if (passkeyId && (await devices.deleteSeed(requester, passkeyId)) === 'device_missing') throw deviceRequired();
    return {};
  };
}
