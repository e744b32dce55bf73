/** @jest-environment jsdom */
import { groupJoinPath, groupUrl, readInviteToken, readGroupCodeInput } from './groupAddress.ts';

test('a typed code is trimmed and put in upper case', () => {
  expect(readGroupCodeInput('  abc234 ')).toEqual({ code: 'ABC234' });
  expect(readGroupCodeInput('abc')).toEqual({ code: 'ABC' });
});

test('a pasted link provides its code, and its token if it has one', () => {
  expect(readGroupCodeInput('https://nolo.example/group-chat/abc234')).toEqual({ code: 'ABC234' });
  expect(readGroupCodeInput('https://nolo.example/group-chat/ABC234#invite=t%2B1')).toEqual({
    code: 'ABC234',
    inviteToken: 't+1',
  });
});

test('the token is only in the fragment', () => {
  expect(groupJoinPath({ code: 'ABC234' })).toBe('/group-chat/ABC234');
  const path = groupJoinPath({ code: 'ABC234', inviteToken: 't+1' });
  expect(path).toBe('/group-chat/ABC234#invite=t%2B1');
  expect(readInviteToken(new URL(path, location.origin).hash)).toBe('t+1');
  expect(readInviteToken('')).toBeUndefined();
  expect(groupUrl('ABC234')).toBe(`${location.origin}/group-chat/ABC234`);
});
