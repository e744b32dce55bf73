const prefix = 'nolo-account-';

export function databaseName(userId: string): string {
  return prefix + userId;
}

/** Whose database this is; undefined for any other. */
export function accountOf(name: string | undefined): string | undefined {
  return name?.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
