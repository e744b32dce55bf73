import { routes } from '@nolo/api';
import {
  checkNack,
  encodeBox,
  equalBytes,
  findDevice,
  readBoxKeys,
  readHeader,
  Refusal,
  sealBox,
  signNack,
  toUuid,
  type Bytes,
  type Statement,
} from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import type { ReadyDevice } from './deviceKeys.ts';
import { memberOf, newestEpoch, toVaultValues, type StoredEpoch, type Vault } from './vault.ts';
import { fromSigned, nameOf, toSigned, toText } from './wire.ts';

/** Requests for secrets of the vault, and answers to them (docs/encryption.md, section 4, Nack). */

const hourMs = 3_600_000;
/** Time after which a device without answer restarts the vault (section 6). */
const unansweredMs = 24 * hourMs;

/** Asks the other devices for the newest secret, at most once an hour. */
export async function askForSecret(context: KeyContext, { device, boxes }: ReadyDevice, vault: Vault): Promise<Vault> {
  const newest = newestEpoch(vault);
  const now = context.now();
  const isAsked = vault.nack?.n === newest?.n;
  if (!newest || newest.secret || (isAsked && vault.askedAt !== null && now - vault.askedAt < hourMs)) return vault;
  const statement = await signNack(device.signing, {
    conversation: vault.id,
    n: newest.n,
    headerHash: newest.hash,
    account: context.account,
    device: device.id,
    boxNumber: boxes.findLast(({ isPublished }) => isPublished)?.number ?? 0,
    at: now,
  });
  const firstAt = isAsked && vault.nack ? vault.nack.at : now;
  const asked = { ...vault, nack: { n: newest.n, at: firstAt }, askedAt: now };
  await context.store.write(toVaultValues(asked));
  await ignoreRefusal(context.call(routes.sendNack, { params: { id: toUuid(vault.id) }, body: toSigned(statement) }));
  return asked;
}

/** Returns true if nobody answers any more: for a day, or because the account has no other device. */
export function isUnanswered(chain: Chain, device: Uint8Array, vault: Vault, now: number): boolean {
  const others = chain.newest.list.devices.filter(({ id, kind }) => kind !== 2 && !equalBytes(id, device));
  return others.length === 0 || (vault.nack !== null && now - vault.nack.at > unansweredMs);
}

/** Passes on only what may succeed later. */
async function ignoreRefusal(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
  }
}

/** Returns true if the device may get the secret: it is listed, and the newest header does not leave it out. */
function mayAnswer(chain: Chain, vault: Vault, epoch: StoredEpoch, device: Uint8Array): boolean {
  const listed = findDevice(chain.newest.list, device);
  if (!listed || listed.kind === 2) return false;
  const newest = newestEpoch(vault);
  const isLeftOut = newest && readHeader(newest.statement).leftOut.some((one) => equalBytes(one.device, device));
  const wasThere = memberOf(epoch) !== undefined;
  return wasThere && isLeftOut !== true;
}

async function answer(context: KeyContext, chain: Chain, vault: Vault, statement: Statement): Promise<void> {
  const { conversation, n, headerHash, device } = await checkNack(statement, chain.newest.list);
  const epoch = vault.epochs.find((one) => one.n === n);
  const keys = chain.boxKeys[nameOf(device)];
  if (!equalBytes(conversation, vault.id) || !epoch?.secret || !equalBytes(epoch.hash, headerHash) || !keys) return;
  if (!mayAnswer(chain, vault, epoch, device)) return;
  const to = { device, number: keys.number, keys: readBoxKeys(keys).keys };
  const header = readHeader(epoch.statement);
  const box = await sealBox('answer', { hash: epoch.hash, header }, to, epoch.secret);
  const params = { id: toUuid(vault.id), n };
  const body = { deviceId: toUuid(device), box: toText(encodeBox(box)) };
  await ignoreRefusal(context.call(routes.answerNack, { params, body }));
}

interface Answering {
  /** This device. */
  readonly own: Bytes;
  readonly chain: Chain;
  readonly vault: Vault;
  readonly suspended: readonly Bytes[];
}

/** Answers the open requests of other devices as far as the rules allow. */
export async function answerNacks(context: KeyContext, { own, chain, vault, suspended }: Answering): Promise<void> {
  const asked = await context.call(routes.listNacks, { params: { id: toUuid(vault.id) } });
  for (const signed of asked) {
    try {
      const statement = fromSigned(signed);
      if (!statement.body.length) continue;
      const { device } = await checkNack(statement, chain.newest.list);
      if ([own, ...suspended].some((one) => equalBytes(one, device))) continue;
      await answer(context, chain, vault, statement);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
