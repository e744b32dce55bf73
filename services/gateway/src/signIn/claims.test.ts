import { readClaims } from './claims.ts';

const idToken = { iss: 'https://provider.example', sub: '1' };

it('reads from the ID token first, and the rest from userinfo', () => {
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

it('never takes the address of one for the one that the other vouches for', () => {
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

it('takes the whole name where there are no parts of it, and nothing that is no text', () => {
  expect(readClaims({ ...idToken, name: 'Ada Byron' }, {})).toMatchObject({
    givenName: 'Ada Byron',
    familyName: undefined,
  });
  expect(readClaims({ ...idToken, name: 5, email: {} }, {})).toMatchObject({ givenName: undefined, email: undefined });
});
