/** @jest-environment jsdom */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { callListQueryKey } from './callPages.ts';
import { NoCallSelected } from './NoCallSelected.tsx';
import enCalls from '../../locales/en/calls.json' with { type: 'json' };

afterEach(cleanup);

/** Renders it next to a list of these calls. */
function show(items: readonly unknown[]): void {
  const client = new QueryClient();
  client.setQueryData(callListQueryKey, { pages: [{ items, nextCursor: null }], pageParams: [''] });
  render(
    <QueryClientProvider client={client}>
      <NoCallSelected />
    </QueryClientProvider>,
    { wrapper: TestProviders },
  );
}

test('someone with calls is asked to select one', () => {
  show([{ id: 'a' }]);
  expect(screen.getByText(enCalls.selectTitle)).not.toBeNull();
});

test('an empty list asks nobody to select from it', () => {
  show([]);
  expect(screen.queryByText(enCalls.selectTitle)).toBeNull();
});
