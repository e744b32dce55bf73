/** The token of an invitation by mail, as its link has it after the hash; undefined where there is none. */
export const invitationIn = (hash: string): string | undefined =>
  new URLSearchParams(hash.slice(1)).get('invitation') ?? undefined;
