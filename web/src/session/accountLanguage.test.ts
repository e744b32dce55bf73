import { syncLanguage } from './accountLanguage.ts';

const berlin = 'Europe/Berlin';
const account = { language: null, deviceLanguage: 'en', timeZone: null } as const;

test.each([
  ['an account that chose nothing leaves the device alone', account, null, {}],
  ['a choice of the account is kept here', { ...account, language: 'de' }, null, { keep: 'de' }],
  ['also over another one', { ...account, language: 'de' }, 'en', { keep: 'de' }],
  ['what is kept already stays', { ...account, language: 'de' }, 'de', {}],
  ['each device speaks its own again', { ...account, language: 'device' }, 'de', { keep: null }],
  ['a choice from before is told', account, 'de', { profileUpdate: { language: 'de', timeZone: berlin } }],
  [
    'an account from before learns of its first device',
    { ...account, deviceLanguage: null },
    null,
    { profileUpdate: { language: 'device', timeZone: berlin } },
  ],
  ['the look from right to left is nobody else’s', { ...account, language: 'de' }, 'ar-x-pseudo', {}],
  [
    'who moved is told of times there',
    { ...account, timeZone: 'Asia/Tokyo' },
    null,
    { profileUpdate: { timeZone: berlin } },
  ],
] as const)('%s', (_what, self, stored, met) => {
  expect(syncLanguage(self, stored, berlin)).toEqual(met);
});
