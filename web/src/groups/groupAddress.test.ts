/** @jest-environment jsdom */
import { doorPath, groupUrl, inviteTokenOf, readGroupInput } from './groupAddress.ts';

test('a typed code is trimmed and in upper case', () => {
  expect(readGroupInput('  abc234 ')).toEqual({ code: 'ABC234' });
  expect(readGroupInput('abc')).toEqual({ code: 'ABC' });
});

test('a pasted link gives its code, and its token where it has one', () => {
  expect(readGroupInput('https://nolo.example/group-chat/abc234')).toEqual({ code: 'ABC234' });
  expect(readGroupInput('https://nolo.example/group-chat/ABC234#invite=t%2B1')).toEqual({
    code: 'ABC234',
    inviteToken: 't+1',
  });
});

test('the token travels in the fragment alone', () => {
  expect(doorPath({ code: 'ABC234' })).toBe('/group-chat/ABC234');
  const path = doorPath({ code: 'ABC234', inviteToken: 't+1' });
  expect(path).toBe('/group-chat/ABC234#invite=t%2B1');
  expect(inviteTokenOf(new URL(path, location.origin).hash)).toBe('t+1');
  expect(inviteTokenOf('')).toBeUndefined();
  expect(groupUrl('ABC234')).toBe(`${location.origin}/group-chat/ABC234`);
});
