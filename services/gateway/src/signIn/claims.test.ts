import { readClaims } from './claims.ts';

const idToken = { iss: 'https://provider.example', sub: '1' };

it('reads the ID token first, and the rest from userinfo', () => {
  expect(
    readClaims(
      { ...idToken, email: 'ada@example.com', email_verified: true },
      { email: 'other@example.com', given_name: 'Ada', family_name: 'Byron' },
    ),
  ).toEqual({
    issuer: 'https://provider.example',
    subject: '1',
    email: 'ada@example.com',
    emailVerified: true,
    givenName: 'Ada',
    familyName: 'Byron',
  });
});

it("never mixes one source's address with the other's verification", () => {
  const mixed = readClaims(
    { ...idToken, email: 'typed@example.com' },
    { email: 'ada@example.com', email_verified: true },
  );
  expect(mixed).toMatchObject({ email: 'typed@example.com', emailVerified: false });
  expect(readClaims(idToken, { email: 'ada@example.com', email_verified: 'true' })).toMatchObject({
    email: 'ada@example.com',
    emailVerified: true,
  });
});

it('uses the full name if it has no parts, and ignores anything but text', () => {
  expect(readClaims({ ...idToken, name: 'Ada Byron' }, {})).toMatchObject({
    givenName: 'Ada Byron',
    familyName: undefined,
  });
  expect(readClaims({ ...idToken, name: 5, email: {} }, {})).toMatchObject({ givenName: undefined, email: undefined });
});
