import { encodeInviteLink, inviteKeyFrom, readInviteLink } from './inviteLinks.ts';
import { randomBytes } from './primitives.ts';

test('an invite link is read as it was written, and nothing else is', () => {
  const link = {
    seed: randomBytes(32),
    headerHash: randomBytes(32),
    account: randomBytes(16),
    identity: randomBytes(32),
  };
  const encoded = encodeInviteLink(link);
  expect(readInviteLink(encoded)).toEqual(link);
  expect(inviteKeyFrom(readInviteLink(encoded).seed).publicKey).toEqual(inviteKeyFrom(link.seed).publicKey);
  for (const wrong of [encoded.subarray(1), new Uint8Array(), encoded.map((one, at) => (at === 1 ? 2 : one))])
    expect(() => readInviteLink(wrong)).toThrow(expect.objectContaining({ code: 'malformed' }));
});
