import { placeName } from './places.ts';

test('a place is called as its reader calls the country', () => {
  expect(placeName({ country: 'ZA', city: 'Cape Town' }, 'en')).toBe('Cape Town, South Africa');
  expect(placeName({ country: 'ZA', city: 'Cape Town' }, 'de')).toBe('Cape Town, Südafrika');
  expect(placeName({ country: 'DE' }, 'de')).toBe('Deutschland');
  expect([placeName({ country: 'QZ' }, 'en'), placeName({ country: '' }, 'en')]).toEqual(['QZ', '']);
});
