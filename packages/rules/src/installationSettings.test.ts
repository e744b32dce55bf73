import {
  installationSettings,
  parseSettings,
  settingNames,
  normalizeSettingValue,
  describeSettingChoices,
} from './installationSettings.ts';
import { limits } from './limits.ts';
import { rateLimits } from './rateLimits.ts';

test.each([
  ['registration', 'invited', 'invited'],
  ['registration', 'some', undefined],
  ['calls', ' off ', 'off'],
  ['calls', 'no', undefined],
  ['groupMembers', '0050', '50'],
  ['groupMembers', '1', undefined],
  ['groupMembers', '501', undefined],
  ['groupMembers', '-2', undefined],
  ['groupMembers', '2.5', undefined],
  ['messagesKeptDays', '0', '0'],
] as const)('%s set to %j reads as %j', (name, text, value) => {
  expect(normalizeSettingValue(name, text)).toBe(value);
});

test('every default is a valid value, and no value exceeds the built-in limit', () => {
  for (const name of settingNames) {
    const { defaultValue } = installationSettings[name];
    if (defaultValue !== null) expect(normalizeSettingValue(name, defaultValue)).toBe(defaultValue);
  }
  expect(normalizeSettingValue('fileMegabytes', String(limits.fileBytes / 2 ** 20))).toBe(
    installationSettings.fileMegabytes.defaultValue,
  );
  expect(normalizeSettingValue('groupMembers', String(limits.groupMembersMax + 1))).toBeUndefined();
  expect(normalizeSettingValue('meetingParticipants', String(limits.meetingParticipantsMax + 1))).toBeUndefined();
  expect(installationSettings.textMessagesPerDay.defaultValue).toBe(String(rateLimits.textMessagesPerDay.points));
  expect(installationSettings.textMessagesPerCountryDay.defaultValue).toBe(
    String(rateLimits.textMessagesPerCountryDay.points),
  );
});

test('stored values are parsed, and those of another version are ignored', () => {
  const rows = [
    { name: 'calls', value: 'off' },
    { name: 'groupMembers', value: '20' },
    { name: 'registration', value: 'closed' },
    { name: 'meetings', value: 'perhaps' },
    { name: 'somethingNew', value: 'on' },
    {},
  ];
  expect(parseSettings(rows)).toEqual({ calls: false, groupMembers: 20, registration: 'closed' });
});

test('describes the valid values of a setting', () => {
  expect(describeSettingChoices('groupMembers')).toBe('groupMembers must be a whole number from 2 to 500.');
  expect(describeSettingChoices('registration')).toBe('registration must be open, invited or closed.');
  expect(describeSettingChoices('calls')).toBe('calls must be on or off.');
});
