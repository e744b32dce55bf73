import { formatPlace } from './places.ts';

test('a place is named in the reader’s language', () => {
  expect(formatPlace({ country: 'ZA', city: 'Cape Town' }, 'en')).toBe('Cape Town, South Africa');
  expect(formatPlace({ country: 'ZA', city: 'Cape Town' }, 'de')).toBe('Cape Town, Südafrika');
  expect(formatPlace({ country: 'DE' }, 'de')).toBe('Deutschland');
  expect([formatPlace({ country: 'QZ' }, 'en'), formatPlace({ country: '' }, 'en')]).toEqual(['QZ', '']);
});
