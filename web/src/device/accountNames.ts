const prefix = 'nolo-account-';
const searchPrefix = 'nolo-search-';

export function databaseName(userId: string): string {
  return prefix + userId;
}

/** What an account's messages are searched in: a database of its own, for it is made anew from what the others hold. */
export function searchDatabaseName(userId: string): string {
  return searchPrefix + userId;
}

/** Whose database this is; undefined for any other. */
export function accountOf(name: string | undefined): string | undefined {
  return name?.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}

/** The same of the database of a search. */
export function searchedAccountOf(name: string | undefined): string | undefined {
  return name?.startsWith(searchPrefix) ? name.slice(searchPrefix.length) : undefined;
}
