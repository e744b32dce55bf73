const prefix = 'nolo-account-';
const searchPrefix = 'nolo-search-';

export function databaseName(userId: string): string {
  return prefix + userId;
}

/** Returns the name of an account's search database. It is separate, because it is rebuilt from the other data. */
export function searchDatabaseName(userId: string): string {
  return searchPrefix + userId;
}

/** Returns the account of a database, or undefined for other databases. */
export function accountOfDatabase(name: string | undefined): string | undefined {
  return name?.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}

/** Returns the account of a search database, or undefined for other databases. */
export function accountOfSearchDatabase(name: string | undefined): string | undefined {
  return name?.startsWith(searchPrefix) ? name.slice(searchPrefix.length) : undefined;
}
