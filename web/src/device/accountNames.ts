const prefix = 'nolo-account-';
const searchPrefix = 'nolo-search-';
const keysPrefix = 'nolo-keys-';

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

/** Returns the name of the database with an account's keys. It is separate, because it outlives an expired session. */
export function keysDatabaseName(userId: string): string {
  return keysPrefix + userId;
}

/** Returns the account of a database with keys, or undefined for other databases. */
export function accountOfKeysDatabase(name: string | undefined): string | undefined {
  return name?.startsWith(keysPrefix) ? name.slice(keysPrefix.length) : undefined;
}
