import { findRoomCodeProblem, readJoinInput } from './joinInput.ts';
import { meetingPath } from '../shell/meetingPath.ts';

test.each([
  ['abc234', 'ABC234'],
  ['  abc234 ', 'ABC234'],
  ['abc', 'ABC'],
  ['https://nolo.example/meeting/abc234', 'ABC234'],
  ['https://nolo.example/meeting/ABC234?type=voice', 'ABC234'],
  ['nolo.example/meeting/abc234/', 'ABC234'],
])('%j is read as the code %s', (typed, code) => {
  expect(readJoinInput(typed)).toEqual({ code });
});

test('an invite link provides its token, letter by letter', () => {
  expect(readJoinInput('https://nolo.example/meeting/ABC234#invite=aB-c_9')).toEqual({
    code: 'ABC234',
    inviteToken: 'aB-c_9',
  });
});

test('a URL that leads to no meeting stays as it is, for the person to see', () => {
  expect(readJoinInput('https://nolo.example/contacts').code).toBe('HTTPS://NOLO.EXAMPLE/CONTACTS');
  expect(readJoinInput('https://nolo.example/meeting/call-7-1').inviteToken).toBeUndefined();
});

test.each([
  ['', 'missing'],
  ['   ', 'missing'],
  ['ABC', 'shape'],
  ['ABC-23', 'shape'],
  ['ABC 234', null],
  ['ABC234', null],
] as const)('finds the problem of the code %j: %s', (code, problem) => {
  expect(findRoomCodeProblem(code)).toBe(problem);
});

test('the token is placed in the fragment', () => {
  expect(meetingPath('ABC234')).toBe('/meeting/ABC234');
  expect(meetingPath('ABC234', 'aB-c_9')).toBe('/meeting/ABC234#invite=aB-c_9');
});
