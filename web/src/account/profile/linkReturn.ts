import type { LinkError } from '../signIn/signInErrors.ts';
import { errorIn, linkErrors } from '../signIn/signInErrors.ts';

/* Linking a provider leaves the app and comes back to /profile. The address tells of a failure; that it
   went well shows in the account, which knows one provider more than before. */

const key = 'nolo.linking';

type LinkStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function rememberLinking(storage: LinkStorage, providers: number): void {
  storage.setItem(key, String(providers));
}

/** How a linking that was under way ended, or null where none was. It is told once. */
export function takeLinkOutcome(storage: LinkStorage, search: string, providers: number): 'linked' | LinkError | null {
  const before = storage.getItem(key);
  storage.removeItem(key);
  const error = errorIn(search, 'link_error', linkErrors);
  if (error !== null) return error;
  return before !== null && providers > Number(before) ? 'linked' : null;
}
