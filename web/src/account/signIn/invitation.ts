/** Returns the token of an email invitation from the link's hash; undefined without one. */
export const readInvitationToken = (hash: string): string | undefined =>
  new URLSearchParams(hash.slice(1)).get('invitation') ?? undefined;
