import { parseGuestName, parseMeetingName } from './meetingInput.ts';

test.each(['', '\u200b', '\u2800', '\u202e'])('%j is not a name, because nothing of it is visible', (name) => {
  expect(() => parseMeetingName(name)).toThrow('Meeting name is required');
  expect(() => parseGuestName(name)).toThrow(expect.objectContaining({ code: 'name_invalid' }));
});

test('names of meetings and guests are cleaned', () => {
  expect(parseMeetingName(' Weekly\u202e call\r')).toBe('Weekly call');
  expect(parseGuestName('Ada\u2800\u200d')).toBe('Ada');
});

test('a guest cannot give themselves a role', () => {
  expect(parseGuestName('Ada (Host)')).toBe('Ada Host');
  expect(parseGuestName('Ada（Host）')).toBe('Ada Host');
  expect(parseGuestName('Ada [Host] ｛Host｝')).toBe('Ada Host Host');
});

test.each(['Anna „Anni“ Müller', 'Jón ‚Nonni‘', '山田「ヤマ」太郎'])('the quotation marks of %s are kept', (name) => {
  expect(parseGuestName(name)).toBe(name);
});
