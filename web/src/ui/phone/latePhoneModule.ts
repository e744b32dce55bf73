/* Code that loads when a phone field first shows: number parsing, and the country picker. */
export { CountryPicker } from './CountryPicker.tsx';
export * from './phoneNumbers.ts';
