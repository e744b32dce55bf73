/* What comes over the line once a field for a number shows: what reads numbers, and the picker of countries. */
export { CountryPicker } from './CountryPicker.tsx';
export * from './phoneNumbers.ts';
