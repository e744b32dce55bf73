type Claims = Readonly<Record<string, unknown>>;

/**
 * What identity wants to know of a person, from the ID token or, where a provider keeps it there, from userinfo. An
 * address is verified only by the one of the two that it comes from.
 */
export function readClaims(idToken: Claims & { iss: string; sub: string }, userinfo: Claims) {
  const all: Claims = { ...userinfo, ...idToken };
  const text = (name: string) => (typeof all[name] === 'string' && all[name] !== '' ? all[name] : undefined);
  const { email_verified: verified } = idToken['email'] === undefined ? userinfo : idToken;
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: text('email'),
    emailVerified: verified === true || verified === 'true',
    givenName: text('given_name') ?? (text('family_name') === undefined ? text('name') : undefined),
    familyName: text('family_name'),
  };
}
