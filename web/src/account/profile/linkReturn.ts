import { readErrorReason, providerLinkErrors, type ProviderLinkError } from '../signIn/signInErrors.ts';

/*
 * Linking a provider leaves the app and returns to /profile. The address contains a failure; success shows in the
 * account, which then has one provider more.
 */

const key = 'nolo.linking';

type LinkStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function rememberProviderLinking(storage: LinkStorage, providers: number): void {
  storage.setItem(key, String(providers));
}

/** Returns the result of a linking in progress, once, or null if there was none in progress. */
export function takeProviderLinkOutcome(
  storage: LinkStorage,
  search: string,
  providers: number,
): 'linked' | ProviderLinkError | null {
  const before = storage.getItem(key);
  storage.removeItem(key);
  const error = readErrorReason(search, 'link_error', providerLinkErrors);
  if (error !== null) return error;
  return before !== null && providers > Number(before) ? 'linked' : null;
}
