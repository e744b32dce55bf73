import { changeTypes, equalBytes, type Bytes, type HeaderRecord, type VaultRecord, type VaultState } from '@nolo/e2ee';
import { hasEpoch, headerOf, type Conversation, type NewerHeader } from './conversation.ts';

/** Headers of conversations that the vault names (docs/encryption.md, section 6). */

interface PlacedHeader {
  readonly record: HeaderRecord;
  readonly author: Bytes;
  readonly isLate: boolean;
}

function headersOf({ entries }: VaultState, id: Bytes): PlacedHeader[] {
  const found: PlacedHeader[] = [];
  for (const { record, author, isLate = false } of entries.values())
    if (record.kind === 'header' && equalBytes(record.conversation, id)) found.push({ record, author, isLate });
  return found;
}

/** Returns the secret of a header that another device keeps in the vault. */
export const secretInVault = (state: VaultState, id: Bytes, hash: Bytes): Bytes | null =>
  headersOf(state, id).find(({ record }) => equalBytes(record.headerHash, hash))?.record.secret ?? null;

/** Ids of the conversations of which the vault names a header. */
export function conversationsInVault({ entries }: VaultState, vault: Bytes): Bytes[] {
  const ids: Bytes[] = [];
  for (const { record } of entries.values())
    if (record.kind === 'header' && !equalBytes(record.conversation, vault)) ids.push(record.conversation);
  return ids;
}

/** Returns true for headers between the first one of a branch that a change 8 gave up and that change. */
function isGivenUp({ epochs }: Conversation, headers: readonly PlacedHeader[], n: number): boolean {
  return epochs.some((epoch) =>
    headerOf(epoch).changes.some((change) => {
      const named =
        change.type === changeTypes.resolve &&
        headers.find(({ record }) => equalBytes(record.headerHash, change.other));
      return named && named.record.n <= n && n < epoch.n;
    }),
  );
}

/** Returns the newest header that another device saw, and that the server has not shown to this one. */
export function findNewerHeader(state: VaultState, conversation: Conversation): NewerHeader | null {
  const { id, epochs, others } = conversation;
  const headers = headersOf(state, id);
  const unshown = headers.filter(
    ({ record: { n, headerHash }, isLate }) =>
      !isLate &&
      n >= (epochs[0]?.n ?? 0) &&
      !hasEpoch([...epochs, ...others], headerHash) &&
      !isGivenUp(conversation, headers, n),
  );
  const newest = unshown.toSorted((a, b) => a.record.n - b.record.n).at(-1);
  return newest ? { n: newest.record.n, hash: newest.record.headerHash, device: newest.author } : null;
}

/** Records of headers that the vault does not have yet. Secrets of epochs with a timer stay on the device. */
export function newRecords(state: VaultState, { id, epochs, others }: Conversation): VaultRecord[] {
  const inVault = headersOf(state, id);
  return [...epochs, ...others].flatMap((epoch) => {
    const known = inVault.find(({ record }) => equalBytes(record.headerHash, epoch.hash));
    const secret = headerOf(epoch).timer > 0 ? null : epoch.secret;
    if (known && (known.record.secret || !secret)) return [];
    return [{ kind: 'header', conversation: id, n: epoch.n, headerHash: epoch.hash, secret } as const];
  });
}
