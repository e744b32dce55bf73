import {
  applyChanges,
  checkFirstHeader,
  checkNextHeader,
  commitTo,
  compareBytes,
  createBoxKeyPairs,
  createEpochSecret,
  devicesOf,
  encodeBox,
  encodeRoster,
  equalBytes,
  findDevice,
  fromUuid,
  hashOfRoster,
  recoverySigner,
  sealBox,
  sealMessage,
  sealPreviousSecret,
  signHeader,
  signNack,
  suiteFor,
  toPublicBoxKeys,
  toUuid,
  vaultIdOf,
  type BoundMessage,
  type BoxKeyPairs,
  type Bytes,
  type Change,
  type CheckedEpoch,
  type CheckedList,
  type Header,
  type PublicBoxKeys,
  type SigningKey,
  type Statement,
} from '@nolo/e2ee';
import type { EpochBox, NewEpoch } from '@nolo/proto/keys';

/** Epochs and rows of vaults for tests, as a client makes them (docs/encryption.md, sections 4 and 6). */

/** Key pairs that devices of this process created, by their ids: the newest of each. */
const boxKeysOf = new Map<string, BoxKeyPairs>();

/** Remembers the newest box keys of a device, so that epochs can be sealed to it. */
export const rememberBoxKeys = (device: Bytes, keys: BoxKeyPairs): void => void boxKeysOf.set(toUuid(device), keys);

/** Returns the newest public box keys of a device, which it creates if there are none. */
export async function publicKeysOf(device: Bytes): Promise<PublicBoxKeys> {
  const known = boxKeysOf.get(toUuid(device)) ?? (await createBoxKeyPairs());
  boxKeysOf.set(toUuid(device), known);
  return toPublicBoxKeys(known);
}

/** Epoch as its committer knows it, and as it is sent. */
export interface TestEpoch {
  readonly checked: CheckedEpoch;
  readonly statement: Statement;
  readonly secret: Bytes;
  /** Lists that the chain named so far. */
  readonly lists: readonly CheckedList[];
  readonly message: NewEpoch;
}

export interface EpochOptions {
  /** Devices that are left out because they are suspended. */
  readonly leftOut?: readonly { readonly id: Bytes }[];
  readonly reason?: Header['reason'];
  readonly at?: number;
  /** Changes the header before it is signed. */
  readonly change?: (header: Header) => Header;
}

function changesFor(before: TestEpoch | undefined, { list, hash }: CheckedList): Change[] {
  const common = { account: list.account, list: { n: list.n, hash }, evidence: null } as const;
  if (!before) return [{ ...common, type: 0, role: 2 }];
  const [own] = before.checked.members;
  if (own?.list && equalBytes(own.list.hash, hash)) return [];
  const removed = (own?.devices ?? []).filter((device) => !findDevice(list, device));
  return [{ ...common, type: 3, lastRows: removed.map((device) => ({ device, row: null })) }];
}

async function boxesFor(checked: CheckedEpoch, { list }: CheckedList, secret: Bytes): Promise<EpochBox[]> {
  const { recovery } = list;
  const receivers = [
    ...(await Promise.all(
      devicesOf(checked.members).map(async (device) => ({ device, number: 0, keys: await publicKeysOf(device) })),
    )),
    ...(recovery ? [{ device: recoverySigner, number: 0, keys: recovery.boxKeys }] : []),
  ];
  return Promise.all(
    receivers.map(async (to) => ({
      deviceId: toUuid(to.device),
      box: Buffer.from(encodeBox(await sealBox('box', checked, to, secret))),
    })),
  );
}

/** Signs the next epoch of a vault, or its first one, for the newest list of the account. */
export async function signVaultEpoch(
  newest: CheckedList,
  committer: { id: Bytes; key: SigningKey },
  before: TestEpoch | undefined,
  { leftOut = [], reason, at = Date.now(), change = (header) => header }: EpochOptions = {},
): Promise<TestEpoch> {
  const { account } = newest.list;
  const lists = [...(before?.lists ?? []), newest];
  const resolve = (_account: Bytes, { hash }: { hash: Bytes }) => lists.find((list) => equalBytes(list.hash, hash));
  const conversation = await vaultIdOf(account, newest.identity);
  const changes = changesFor(before, newest);
  const left = leftOut
    .map(({ id }) => ({ device: id, row: null }))
    .toSorted((a, b) => compareBytes(a.device, b.device));
  const members = applyChanges(before?.checked.members ?? [], { changes, leftOut: left, kind: 0 }, resolve);
  const secret = createEpochSecret();
  const n = before ? before.checked.header.n + 1 : 0;
  const header = change({
    conversation,
    kind: 0,
    n,
    previous: before?.checked.hash ?? null,
    suite: suiteFor(members),
    roster: await hashOfRoster(members),
    admission: 0,
    timer: 0,
    approval: 0,
    inviteKeys: [],
    changes,
    leftOut: left,
    commit: await commitTo(secret, conversation, n),
    account,
    device: committer.id,
    reason: reason ?? (before ? (changes.length > 0 ? 1 : 2) : 0),
    at: Math.max(at, before?.checked.header.at ?? 0),
  });
  const statement = await signHeader(committer.key, header);
  const options = { lists: resolve, now: Date.now() + 86_400_000 };
  const checked = before
    ? await checkNextHeader(before.checked, statement, options)
    : await checkFirstHeader(statement, options);
  const needsPrevious = before && header.reason !== 3;
  return {
    checked,
    statement,
    secret,
    lists,
    message: {
      header: { body: Buffer.from(statement.body), signature: Buffer.from(statement.signature) },
      roster: Buffer.from(encodeRoster(members)),
      boxes: await boxesFor(checked, newest, secret),
      previousSecret: needsPrevious ? Buffer.from(await sealPreviousSecret(checked, secret, before.secret)) : undefined,
    },
  };
}

/** Returns the id of an epoch's vault. */
export const vaultUuidOf = ({ checked }: TestEpoch): string => toUuid(checked.header.conversation);

/** Seals a record as a row of a vault. */
export async function sealVaultRow(
  { checked, secret }: TestEpoch,
  { id, key }: { id: Bytes; key: SigningKey },
  clientMessageId: Bytes,
  { content = 'record', own = [] }: { content?: string; own?: readonly Bytes[] } = {},
): Promise<Buffer> {
  const { conversation, n, account } = checked.header;
  const bound: BoundMessage = {
    conversation,
    epoch: n,
    headerHash: checked.hash,
    clientMessageId,
    account,
    device: id,
    type: 'vault',
    version: 0,
    mentions: [],
    files: [],
    hasLink: false,
    timer: 0,
    held: false,
    target: null,
    own,
  };
  const epoch = { n, headerHash: checked.hash, secret };
  return Buffer.from(await sealMessage(key, epoch, bound, { sentAt: Date.now(), seen: null, content }));
}

/** Signs a request for the secret of an epoch, by default of the committer's account. */
export async function signTestNack(
  { checked }: Pick<TestEpoch, 'checked'>,
  { id, key }: { id: Bytes; key: SigningKey },
  boxNumber = 0,
  userId = toUuid(checked.header.account),
): Promise<{ body: Buffer; signature: Buffer }> {
  const { conversation, n } = checked.header;
  const account = fromUuid(userId);
  const nack = { conversation, n, headerHash: checked.hash, account, device: id, boxNumber, at: Date.now() };
  const { body, signature } = await signNack(key, nack);
  return { body: Buffer.from(body), signature: Buffer.from(signature) };
}

/** Seals the secret of an epoch again, as the answer to a request. */
export async function sealAnswer({ checked, secret }: TestEpoch, device: Bytes, number = 0): Promise<Buffer> {
  const to = { device, number, keys: await publicKeysOf(device) };
  return Buffer.from(encodeBox(await sealBox('answer', checked, to, secret)));
}
