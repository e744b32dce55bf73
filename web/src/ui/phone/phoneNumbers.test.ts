import { countryOfTyped, formatTyped, changeCountry, readableNumber, readTyped } from './phoneNumbers.ts';

test.each([
  ['0825550147', 'ZA', '+27825550147'],
  ['82 555 0147', 'ZA', '+27825550147'],
  ['+27 (82) 555-0147', 'DE', '+27825550147'],
  ['0027825550147', 'DE', '+27825550147'],
  ['030 901820', 'DE', '+4930901820'],
  ['12', 'ZA', undefined],
  ['no number', 'ZA', undefined],
  ['', 'ZA', undefined],
  ['0825550147', 'XX', undefined],
])('%j typed in %s is %s', (typed, country, read) => {
  expect(readTyped(typed, country)).toBe(read);
});

test('numbers are spaced while they are typed', () => {
  expect(formatTyped('08255501', 'ZA')).toBe('082 555 01');
  expect(formatTyped('+2782555', 'GB')).toBe('+27 82 555');
  expect(formatTyped('0049', 'ZA')).toBe('+49');
});

test('a calling code selects its country, and a shared one keeps the selected country', () => {
  expect(countryOfTyped('082', 'ZA')).toBe('ZA');
  expect(countryOfTyped('+', 'ZA')).toBe('ZA');
  expect(countryOfTyped('+49 30', 'ZA')).toBe('DE');
  expect(countryOfTyped('+1', 'CA')).toBe('CA');
});

test('a different country keeps the number without the previous calling code', () => {
  expect(changeCountry('+27 82 555 0147', 'GB').replace(/\s/g, '')).toBe('825550147');
  expect(changeCountry('0825550147', 'ZA')).toBe('082 555 0147');
  expect(changeCountry('', 'ZA')).toBe('');
});

test('a number is read aloud in groups', () => {
  expect(readableNumber('+27825550147')).toBe('+27 82 555 0147');
  expect(readableNumber('?')).toBe('?');
});
