/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { queryKeys } from '../api/queries.ts';
import { TestProviders } from '../testing/TestProviders.tsx';
import { KeysFailure } from './model/createKeysClient.ts';
import type { KeysClient } from './model/keysProtocol.ts';
import { keysStore, noKeys } from './model/keysStore.ts';
import { RestoreForm } from './RestoreForm.tsx';

afterEach(() => {
  cleanup();
  keysStore.setState(noKeys);
});

test('a list that the server does not show is set aside only by choice', async () => {
  const user = userEvent.setup();
  const newer = { id: 'l1', device: 'd1', deviceName: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
  const recover = jest.fn<KeysClient['recover']>(async (_by, _lost, setsAside) => {
    if (setsAside !== newer.id) throw new KeysFailure('newer_in_vault', '', newer);
  });
  keysStore.setState({ keys: { recover } as Partial<KeysClient> as KeysClient });
  const onDone = jest.fn();
  const queries = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  queries.setQueryData(queryKeys.sessions, []);
  render(
    <QueryClientProvider client={queries}>
      <RestoreForm onBack={() => {}} onDone={onDone} />
    </QueryClientProvider>,
    { wrapper: TestProviders },
  );
  const words = Array.from({ length: 24 }, () => 'abandon').join(' ');
  await user.type(screen.getByRole('textbox', { name: 'Recovery words' }), words);
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Firefox on Linux saw a change to your devices');
  const choice = screen.getByRole('checkbox', { name: 'Continue without the change' });
  expect(document.activeElement).toBe(choice);
  expect(choice.getAttribute('aria-describedby')).toBe(screen.getByText(/Without the change, a device/).id);
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  expect(recover).toHaveBeenLastCalledWith({ words }, [], undefined);
  await user.click(choice);
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  expect(recover).toHaveBeenLastCalledWith({ words }, [], newer.id);
  expect(onDone).toHaveBeenCalledTimes(1);
});
