type Claims = Readonly<Record<string, unknown>>;

/**
 * Reads the claims that identity needs from the ID token or, if a provider puts them there, from userinfo. An email is
 * verified only by the source that contains it.
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
