import type { Self } from '@nolo/api';
import { openAccountDatabase, type AccountDatabase, type StoredAccount } from './accountDatabase.ts';
import { listStoredAccounts } from '../../device/eraseStoredAccounts.ts';
import { applyStoredConfig } from '../../session/config.ts';

let opened: { database: AccountDatabase; kept: StoredAccount } | undefined;

/** Returns the id in a conversation's address, which may also be that of a person or contact. */
export const conversationIdOfPath = (path: string): string | undefined => /^\/(?:group-)?chat\/([^/]+)/.exec(path)?.[1];

/** Returns the user stored on the device and loads their startup data. Returns undefined if there is no user. */
export async function loadStoredUser(): Promise<Self | undefined> {
  const [userId, ...others] = await listStoredAccounts();
  // Two accounts remain only if switching was interrupted. Then the server decides who is signed in.
  if (userId === undefined || others.length > 0) return undefined;
  // Loads meanwhile. Where it cannot, opening says so.
  void import('@nolo/client/content/deviceCodec').catch(() => undefined);
  const database = openAccountDatabase(userId);
  const kept = await database.readAccount(conversationIdOfPath(location.pathname));
  if (kept.self === undefined) {
    database.close();
    return undefined;
  }
  if (kept.config) applyStoredConfig(kept.config);
  // Loads with the chats, whose code this user needs next.
  const [{ deviceContentOf }, { openOfflineChats }] = await Promise.all([
    import('./deviceContent.ts'),
    import('@nolo/client/content/sealedDevice'),
  ]);
  opened = { database, kept: await openOfflineChats(deviceContentOf(database), kept) };
  return kept.self;
}

/**
 * Returns the account's database and its startup data. Returns the same result until `releaseOpenedAccount`, because a
 * first render may start more than once.
 */
export function openAccountWithStoredData(userId: string): { database: AccountDatabase; kept?: StoredAccount } {
  if (opened?.database.userId === userId) return opened;
  releaseOpenedAccount();
  return { database: openAccountDatabase(userId) };
}

/** Called once the stored data is in the app's state, which has changed since. */
export function releaseOpenedAccount(used?: AccountDatabase): void {
  if (opened && opened.database !== used) opened.database.close();
  opened = undefined;
}
