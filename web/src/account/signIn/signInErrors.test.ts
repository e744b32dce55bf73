import { readErrorReason, providerLinkErrors, signInErrors, withoutParameter } from './signInErrors.ts';

test.each([
  ['?sign_in_error=cancelled', 'cancelled'],
  ['?lang=en&sign_in_error=limited', 'limited'],
  ['?sign_in_error=<b>', 'failed'],
  ['?other=1', null],
])('the reason for %p is %p', (search, reason) => {
  expect(readErrorReason(search, 'sign_in_error', signInErrors)).toBe(reason);
});

test('linking has its own reasons', () => {
  expect(readErrorReason('?link_error=provider_taken', 'link_error', providerLinkErrors)).toBe('provider_taken');
});

test('a parameter is removed once read, and the rest of the URL stays', () => {
  const address = { pathname: '/', search: '?sign_in_error=failed&lang=de', hash: '#top' };
  expect(withoutParameter(address, 'sign_in_error')).toBe('/?lang=de#top');
  expect(withoutParameter({ ...address, search: '?sign_in_error=failed' }, 'sign_in_error')).toBe('/#top');
});
