import { computeLanguageSync } from './accountLanguage.ts';

const berlin = 'Europe/Berlin';
const account = { language: null, deviceLanguage: 'en', timeZone: null } as const;

test.each([
  ['an account without a choice changes nothing', account, null, {}],
  ['a choice of the account is stored here', { ...account, language: 'de' }, null, { keep: 'de' }],
  ['a choice of the account replaces a stored one', { ...account, language: 'de' }, 'en', { keep: 'de' }],
  ['a stored choice stays if it is equal', { ...account, language: 'de' }, 'de', {}],
  ['following the devices clears the stored choice', { ...account, language: 'device' }, 'de', { keep: null }],
  ['a stored choice is sent to the account', account, 'de', { profileUpdate: { language: 'de', timeZone: berlin } }],
  [
    'an older account gets the language of its first device',
    { ...account, deviceLanguage: null },
    null,
    { profileUpdate: { language: 'device', timeZone: berlin } },
  ],
  ['the right-to-left preview stays', { ...account, language: 'de' }, 'ar-x-pseudo', {}],
  [
    'a new time zone is sent to the account',
    { ...account, timeZone: 'Asia/Tokyo' },
    null,
    { profileUpdate: { timeZone: berlin } },
  ],
] as const)('language: %s', (_what, self, stored, met) => {
  expect(computeLanguageSync(self, stored, berlin)).toEqual(met);
});
