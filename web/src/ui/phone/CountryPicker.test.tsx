/** @jest-environment jsdom */
import { cleanup, render, screen } from '@testing-library/react';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { CountryPicker } from './CountryPicker.tsx';
import { phoneCountries } from './phoneNumbers.ts';

afterEach(cleanup);

test('countries are sorted by name, and the selected one stays selected', async () => {
  render(
    <TestProviders>
      <CountryPicker country="ZA" size="medium" onChoose={() => undefined} />
    </TestProviders>,
  );
  const list = screen.getByRole<HTMLSelectElement>('combobox');
  await screen.findByRole('option', { name: 'Zimbabwe (+263)' });
  const names = [...list.options].map(({ text }) => text);
  expect(new Set(names).size).toBe(phoneCountries.length);
  expect(names).toEqual(names.toSorted(new Intl.Collator('en').compare));
  expect([list.value, list.selectedOptions[0]?.text]).toEqual(['ZA', 'South Africa (+27)']);
});
