import { routes, type NewEpoch } from '@nolo/api';
import {
  applyChanges,
  checkFirstHeader,
  checkNextHeader,
  commitTo,
  compareBytes,
  createEpochSecret,
  encodeBox,
  encodeRoster,
  equalBytes,
  findDevice,
  hashOfHeader,
  hashOfRoster,
  noAccount,
  readBoxKeys,
  recoverySigner,
  sealBoxes,
  sealPreviousSecret,
  signChange,
  signHeader,
  suiteFor,
  toUuid,
  type BoxRecipient,
  type Bytes,
  type Change,
  type CheckedEpoch,
  type Header,
  type HeaderReason,
  type LastRow,
  type Statement,
} from '@nolo/e2ee';
import { listAt, resolverOf, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import type { DeviceKeys } from './deviceKeys.ts';
import { KeysError } from './keysError.ts';
import { newestEpoch, type StoredEpoch, type Vault } from './vault.ts';
import { toSigned, toText } from './wire.ts';

/** Building the next epoch of the vault (docs/encryption.md, sections 4 and 6). */

/** Next epoch, complete: the same bytes are repeated until the server answers. */
export interface BuiltEpoch {
  readonly vaultId: Bytes;
  readonly head: CheckedEpoch;
  readonly stored: StoredEpoch;
  readonly request: NewEpoch;
}

interface EpochParts {
  readonly device: DeviceKeys;
  /** Chain whose newest list the epoch names. */
  readonly chain: Chain;
  readonly vault: Vault;
  /** Devices that the server calls suspended. */
  readonly suspended: readonly Bytes[];
  /** 1 if list or suspensions changed, 2 because of age, 3 to restart without the secret before. */
  readonly reason: 1 | 2 | 3;
  /** Header of another branch, which this epoch gives up (change 8). */
  readonly resolves?: Bytes;
}

const lastRowOf = ({ rows }: Vault, device: Bytes): LastRow => ({
  device,
  row: rows.findLast((one) => equalBytes(one.device, device))?.hash ?? null,
});

const byDevice = (a: LastRow, b: LastRow): number => compareBytes(a.device, b.device);

/** Changes that lead from the epoch before to the chain's newest list. */
function changesTo(chain: Chain, vault: Vault): Change[] {
  const { account, newest } = chain;
  const list = { n: newest.list.n, hash: newest.hash };
  const before = vault.head?.members[0];
  if (!before?.list) return [{ type: 0, account, role: 2, list, evidence: null }];
  if (equalBytes(before.list.hash, list.hash)) return [];
  const listed = listAt(chain, before.list.n)?.list.devices ?? [];
  const lastRows = listed
    .filter(({ id, kind }) => kind !== 2 && !findDevice(newest.list, id))
    .map(({ id }) => lastRowOf(vault, id))
    .toSorted(byDevice);
  return [{ type: 3, account, list, lastRows, evidence: null }];
}

/** Suspended devices of the newest list that would get a box. */
const leftOutOf = (chain: Chain, vault: Vault, suspended: readonly Bytes[]): LastRow[] =>
  chain.newest.list.devices
    .filter(({ id, kind }) => kind !== 2 && suspended.some((one) => equalBytes(one, id)))
    .map(({ id }) => lastRowOf(vault, id))
    .toSorted(byDevice);

/** Change that ends a fork with the branch of another header, signed by this device (section 4, change 8). */
async function changeAgainst(
  { account, now }: KeyContext,
  { device, vault }: EpochParts,
  { hash: ancestor }: CheckedEpoch,
  other: Bytes,
): Promise<Change> {
  const change = { type: 8, account: noAccount, other, evidence: null } as const;
  const signer = { account, device: device.id, ancestor, at: now() };
  return { ...change, evidence: await signChange(device.signing, vault.id, signer, change) };
}

async function buildHeader(
  context: KeyContext,
  parts: EpochParts,
  secret: Bytes,
): Promise<{ header: Header; roster: Bytes }> {
  const { account, now } = context;
  const { device, chain, vault, suspended, reason, resolves } = parts;
  const resolution = vault.head && resolves ? [await changeAgainst(context, parts, vault.head, resolves)] : [];
  const changes = [...changesTo(chain, vault), ...resolution];
  const others = suspended.filter((one) => !equalBytes(one, device.id));
  const leftOut = vault.head ? leftOutOf(chain, vault, others) : [];
  const members = applyChanges(vault.head?.members ?? [], { changes, leftOut, kind: 0 }, resolverOf(chain));
  const n = vault.head ? vault.head.header.n + 1 : 0;
  const header: Header = {
    conversation: vault.id,
    kind: 0,
    n,
    previous: vault.head?.hash ?? null,
    suite: suiteFor(members),
    roster: await hashOfRoster(members),
    admission: 0,
    timer: 0,
    approval: 0,
    inviteKeys: [],
    changes,
    leftOut,
    commit: await commitTo(secret, vault.id, n),
    account,
    device: device.id,
    reason: (vault.head ? reason : 0) satisfies HeaderReason,
    at: Math.max(now(), vault.head?.header.at ?? 0),
  };
  return { header, roster: encodeRoster(members) };
}

type EpochHead = Pick<CheckedEpoch, 'hash' | 'header' | 'members'>;

/** Everyone who gets a box: the devices of the roster whose box keys are known, and the recovery key. */
function recipientsOf(chain: Chain, head: EpochHead, added: readonly Statement[]): BoxRecipient[] {
  const known = [...Object.values(chain.boxKeys), ...added].map(readBoxKeys);
  const devices = (head.members[0]?.devices ?? []).flatMap((device) => {
    const newest = known
      .filter((one) => equalBytes(one.device, device))
      .toSorted((a, b) => a.number - b.number)
      .at(-1);
    return newest ? [{ device, number: newest.number, keys: newest.keys }] : [];
  });
  const { recovery } = chain.newest.list;
  const paper = recovery ? [{ device: recoverySigner, number: 0, keys: recovery.boxKeys }] : [];
  return [...devices, ...paper];
}

/** Seals a secret to everyone who gets a box of an epoch. */
async function sealAll(
  chain: Chain,
  head: EpochHead,
  secret: Bytes,
  added: readonly Statement[],
): Promise<NewEpoch['boxes']> {
  const boxes = await sealBoxes(head, recipientsOf(chain, head, added), secret);
  return boxes.map((box) => ({ deviceId: toUuid(box.device), box: toText(encodeBox(box)) }));
}

/**
 * Builds, signs, and checks the next epoch of the vault.
 *
 * @param added box keys of devices that the newest list adds
 * @throws KeysError `vault_closed` if this device lacks the secret before and does not restart
 */
export async function buildEpoch(
  context: KeyContext,
  parts: EpochParts,
  added: readonly Statement[] = [],
): Promise<BuiltEpoch> {
  const { chain, vault, device, reason } = parts;
  const before = newestEpoch(vault);
  if (before && !before.secret && reason !== 3)
    throw new KeysError('vault_closed', 'This device cannot open the newest epoch of the vault.');
  const secret = createEpochSecret();
  const { header, roster } = await buildHeader(context, parts, secret);
  const statement = await signHeader(device.signing, header);
  const options = { lists: resolverOf(chain), now: context.now() };
  const head = vault.head
    ? await checkNextHeader(vault.head, statement, options)
    : await checkFirstHeader(statement, options);
  const hash = await hashOfHeader(statement);
  const previousSecret =
    before?.secret && reason !== 3 ? await sealPreviousSecret({ hash }, secret, before.secret) : null;
  return {
    vaultId: vault.id,
    head,
    stored: { n: header.n, hash, statement, roster, previousSecret, secret },
    request: {
      header: toSigned(statement),
      roster: toText(roster),
      boxes: await sealAll(chain, head, secret, added),
      ...(previousSecret && { previousSecret: toText(previousSecret) }),
    },
  };
}

/** Sends an epoch that goes alone. The same header again gets the first answer. */
export async function sendEpoch({ call }: KeyContext, { vaultId, request }: BuiltEpoch): Promise<void> {
  await call(routes.commitEpoch, { params: { id: toUuid(vaultId) }, body: request });
}

/** Builds the request that shows an accepted epoch to a server that lost it, with boxes sealed anew. */
export async function rebuildRequest(chain: Chain, head: EpochHead, epoch: StoredEpoch): Promise<NewEpoch> {
  return {
    header: toSigned(epoch.statement),
    roster: toText(epoch.roster),
    boxes: epoch.secret ? await sealAll(chain, head, epoch.secret, []) : [],
    ...(epoch.previousSecret && { previousSecret: toText(epoch.previousSecret) }),
  };
}
