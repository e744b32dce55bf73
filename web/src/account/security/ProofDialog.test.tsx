/** @jest-environment jsdom */
import type { FreshProofState } from '@nolo/api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { proofStore } from '../../api/proof.ts';
import { configStore } from '../../session/config.ts';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import enSecurity from '../../../locales/en/security.json' with { type: 'json' };

const number = '+27825550147';
/** Provider's window, as far as the page that opened it can see. */
let opened: { closed: boolean } | null;

/** Sends no messages: jsdom has no channels. */
class SilentChannel {
  addEventListener() {}
  close() {}
}

beforeEach(() => {
  globalThis.BroadcastChannel = SilentChannel as unknown as typeof BroadcastChannel;
  opened = { closed: false };
  window.open = (() => opened) as typeof window.open;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
  configStore.setState({
    config: { demoMode: true, demoCode: '424242', version: '', limits: {}, features: {} as never },
  });
});
afterEach(cleanup);

function requestProof(ways: Pick<FreshProofState, 'phoneNumbers' | 'provider'> & Partial<FreshProofState>): void {
  globalThis.fetch = (async (path: string) => {
    const sent = { success: true, message: '', phoneNumber: number, validSeconds: 600 };
    const body = path.includes('verification') ? sent : { validUntil: null, ...ways };
    return { ok: true, status: 200, headers: new Headers(), json: async () => body } as Response;
  }) as typeof fetch;
  render(
    <TestProviders>
      <QueryClientProvider client={new QueryClient()}>
        <ProofDialog />
      </QueryClientProvider>
    </TestProviders>,
  );
}

const chooseProvider = async (user: ReturnType<typeof userEvent.setup>) =>
  user.click(await screen.findByRole('button', { name: enSecurity.proofProvider }));

test('a window that the browser did not open is reported, and not waited for', async () => {
  const user = userEvent.setup();
  opened = null;
  requestProof({ phoneNumbers: [], provider: true });
  await chooseProvider(user);
  expect(screen.getByRole('alert').textContent).toBe(enSecurity.proofErrors.blocked);
  expect(screen.queryByText(enSecurity.proofProviderWaiting)).toBeNull();
  opened = { closed: false };
  await chooseProvider(user);
  expect(screen.queryByRole('alert')).toBeNull();
  screen.getByText(enSecurity.proofProviderWaiting);
});

test('a window closed without finishing is no longer waited for', async () => {
  const user = userEvent.setup();
  requestProof({ phoneNumbers: [], provider: true });
  await chooseProvider(user);
  screen.getByText(enSecurity.proofProviderWaiting);
  opened = Object.assign(opened ?? {}, { closed: true });
  const gone = () => expect(screen.queryByText(enSecurity.proofProviderWaiting)).toBeNull();
  await waitFor(gone, { timeout: 5_000 });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the authenticator code is sent with its last digit, and a wrong one is typed again', async () => {
  const user = userEvent.setup();
  requestProof({ phoneNumbers: [], provider: false, authenticator: true });
  const proofPromise = proofStore.getState().requestProof();
  await user.click(await screen.findByRole('button', { name: enSecurity.proofApp }));
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: enSecurity.proofAppCode });
  const sent: unknown[] = [];
  let right = false;
  globalThis.fetch = (async (_path: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    const refused = JSON.stringify({ code: 'second_factor_wrong', message: 'That code is wrong.' });
    return { ok: right, status: right ? 204 : 400, headers: new Headers(), text: async () => refused } as Response;
  }) as unknown as typeof fetch;
  await user.type(field, '123 456');
  await screen.findByText(/code is wrong/);
  expect(field.value).toBe('');
  right = true;
  await user.type(field, '654321');
  expect(await proofPromise).toBe(true);
  expect(sent).toEqual([{ code: '123456' }, { code: '654321' }]);
});

test('the demo code appears only where a code is requested, and Back leads to the other ways', async () => {
  const user = userEvent.setup();
  requestProof({ phoneNumbers: [number], provider: true });
  await screen.findByRole('button', { name: enSecurity.proofProvider });
  expect(screen.queryByText(/424242/)).toBeNull();
  await user.click(screen.getByRole('button', { name: new RegExp(`\\${number}`) }));
  await screen.findByText(/424242/);
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await screen.findByRole('button', { name: enSecurity.proofProvider });
});
