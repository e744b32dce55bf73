import { formatLinkDigits, groupDigits, readDigits } from './formatDigits.ts';

test('a number to compare is shown in groups of five', () => {
  expect(groupDigits('0123456789'.repeat(6), 5)).toHaveLength(12);
  expect(groupDigits('0123456789', 5)).toEqual(['01234', '56789']);
});

test('the digits of a link are shown in two groups and read back', () => {
  expect(formatLinkDigits('0123456')).toBe('012 3456');
  expect(readDigits('012 3456')).toBe('0123456');
});

test('digits of other scripts count, and everything else is dropped', () => {
  expect(readDigits('٠١٢٣٤٥٦٧٨٩')).toBe('0123456789');
  expect(readDigits('۹-०१')).toBe('901');
  expect(readDigits('１２ a ３')).toBe('123');
});
