import { toUuid, type Bytes } from '@nolo/e2ee';
import type { KeyContext } from './context.ts';
import { KeysError } from './keysError.ts';
import { withAside, type NewerRecord } from './newerLists.ts';
import { readNameOf } from './notices.ts';
import type { NewerList } from './types.ts';
import { toText } from './wire.ts';
import { requireJoined, type Work } from './work.ts';

/** Question about a list of the account that only the vault knows (docs/encryption.md, section 6). */

/** Describes a device of the account for the user. The name is the one that the server gives it. */
export async function describeDevice(
  context: KeyContext,
  { reply }: Work,
  device: Bytes,
): Promise<Pick<NewerList, 'device' | 'deviceName'>> {
  const id = toUuid(device);
  const described = reply?.devices.find((one) => one.id === id)?.name;
  return { device: id, deviceName: described ?? (await readNameOf(context, device)) };
}

/** Describes the record for the user. */
export async function describeNewer(
  context: KeyContext,
  work: Work,
  { list, device }: NewerRecord,
): Promise<NewerList> {
  return { id: toText(list), ...(await describeDevice(context, work, device)) };
}

/**
 * Sets aside the newer list that this device asks about: what the server shows counts until it shows the newer one.
 *
 * @param id of the question
 * @throws KeysError `conflict` if another question, or none, is open
 */
export async function setListAside(context: KeyContext, work: Work, id: string): Promise<void> {
  const { vault } = requireJoined(work);
  if (!work.newer || toText(work.newer.list) !== id)
    throw new KeysError('conflict', 'This question is no longer open.');
  work.vault = await withAside(context, vault, work.newer.list);
}
