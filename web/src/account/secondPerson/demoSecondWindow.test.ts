import {
  alternativeHostname,
  parseDemoSecondWindowHash,
  getDemoSecondPersonNumber,
  getDemoSecondWindowAddress,
} from './demoSecondWindow.ts';

const userId = '01a21436-71f0-760c-ac8c-4733a2e9409f';

test('the second window opens at this machine’s other name, which has its own cookies', () => {
  const address = getDemoSecondWindowAddress({ protocol: 'http:', hostname: 'localhost', port: '8080' }, userId) ?? '';
  expect(new URL(address).origin).toBe('http://127.0.0.1:8080');
  expect(parseDemoSecondWindowHash(new URL(address).hash)).toEqual({
    withId: userId,
    number: getDemoSecondPersonNumber(userId),
  });
  expect(alternativeHostname('127.0.0.1')).toBe('localhost');
  expect(alternativeHostname('[::1]')).toBe('localhost');
});

test('a page on another host has no second window', () => {
  const elsewhere = { protocol: 'https:', hostname: 'nolo.example', port: '' };
  expect(getDemoSecondWindowAddress(elsewhere, userId)).toBeNull();
  expect(alternativeHostname('192.168.0.4')).toBeNull();
});

test('numbers belong to nobody, and stay the same per person', () => {
  expect(getDemoSecondPersonNumber(userId)).toMatch(/^\+1(202|213|305|312|415|512|617|713)55501\d\d$/);
  expect(getDemoSecondPersonNumber(userId)).toBe(getDemoSecondPersonNumber(userId));
});

test.each(['', '#with=me&number=1', `#with=${userId}&number=+12025550100x`, `#with=${userId}`])(
  'a URL with %j names nobody',
  (hash) => {
    expect(parseDemoSecondWindowHash(hash)).toBeNull();
  },
);
