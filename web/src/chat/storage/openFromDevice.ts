import type { Self } from '@nolo/api';
import type { AccountDatabase, KeptAccount } from './accountDatabase.ts';
import { openAccountDatabase } from './accountDatabase.ts';
import { knownAccounts } from '../../device/eraseAccounts.ts';
import { rememberConfig } from '../../session/config.ts';

let opened: { database: AccountDatabase; kept: KeptAccount } | undefined;

/** The id in the address of a conversation, which may as well be that of a person or contact. */
export function conversationOf(path: string): string | undefined {
  return /^\/(?:group-)?chat\/([^/]+)/.exec(path)?.[1];
}

/** Whom the device remembers, with what opens the app for them; undefined where it remembers nobody. */
export async function openFromDevice(): Promise<Self | undefined> {
  const [userId, ...others] = await knownAccounts();
  // Two are left only where changing from one to the other broke off: then the server says who is here.
  if (userId === undefined || others.length > 0) return undefined;
  const database = openAccountDatabase(userId);
  const kept = await database.readAccount(conversationOf(location.pathname));
  if (kept.self === undefined) {
    database.close();
    return undefined;
  }
  if (kept.config) rememberConfig(kept.config);
  opened = { database, kept };
  return kept.self;
}

/**
 * The account's part of the device, and what it knew when the app was opened. The same until `forgetOpened`: a screen
 * that is drawn for the first time may be begun more than once.
 */
export function openAccount(userId: string): { database: AccountDatabase; kept?: KeptAccount } {
  if (opened?.database.userId === userId) return opened;
  forgetOpened();
  return { database: openAccountDatabase(userId) };
}

/** What was kept has gone into the state of the app, which has changed since. */
export function forgetOpened(used?: AccountDatabase): void {
  if (opened && opened.database !== used) opened.database.close();
  opened = undefined;
}
