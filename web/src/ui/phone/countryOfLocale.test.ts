import { countryOfLocale } from './countryOfLocale.ts';

test.each([
  [['en-ZA', 'en'], 'ZA'],
  [['en', 'de-AT'], 'AT'],
  [['de'], 'DE'],
  [['es-419'], 'ES'],
  [['no such tag'], 'ZA'],
  [[], 'ZA'],
])('%j dials in %s', (languages, country) => {
  expect(countryOfLocale(languages)).toBe(country);
});
