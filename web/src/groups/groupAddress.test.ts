/** @jest-environment jsdom */
import { groupJoinPath, groupUrl, readInvite, readGroupCodeInput, withEntryKey } from './groupAddress.ts';

test('a typed code is trimmed and put in upper case', () => {
  expect(readGroupCodeInput('  abc234 ')).toEqual({ code: 'ABC234' });
  expect(readGroupCodeInput('abc')).toEqual({ code: 'ABC' });
});

test('a pasted link provides its code, and its token if it has one', () => {
  expect(readGroupCodeInput('https://nolo.example/group-chat/abc234')).toEqual({ code: 'ABC234' });
  expect(readGroupCodeInput('https://nolo.example/group-chat/ABC234#invite=t%2B1')).toEqual({
    code: 'ABC234',
    invite: { token: 't+1' },
  });
});

test('the token is only in the fragment', () => {
  expect(groupJoinPath({ code: 'ABC234' })).toBe('/group-chat/ABC234');
  const path = groupJoinPath({ code: 'ABC234', invite: { token: 't+1' } });
  expect(path).toBe('/group-chat/ABC234#invite=t%2B1');
  expect(readInvite(new URL(path, location.origin).hash)).toEqual({ token: 't+1' });
  expect(readInvite('')).toBeUndefined();
  expect(groupUrl('ABC234')).toBe(`${location.origin}/group-chat/ABC234`);
});

test('the key of a link into an encrypted group survives the ways of the link', () => {
  const invite = { token: 't', entry: { groupId: 'g-1', key: 'k_-' } };
  const link = withEntryKey('https://nolo.example/group-chat/ABC234#invite=t', 'g-1', 'k_-');
  expect(readGroupCodeInput(link)).toEqual({ code: 'ABC234', invite });
  const path = groupJoinPath({ code: 'ABC234', invite });
  expect(readInvite(new URL(path, location.origin).hash)).toEqual(invite);
});
