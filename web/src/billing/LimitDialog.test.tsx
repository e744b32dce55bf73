/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiError, onPlanLimit, request } from '../api/request.ts';
import { currencyChoice } from './model/currencyChoice.ts';
import { LimitDialog } from './LimitDialog.tsx';
import {
  freePlan,
  createTestOrder,
  setBillingEnabled,
  stubBillingRequests,
  renderBilling,
} from '../testing/testBilling.tsx';

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const onClose = jest.fn();

const met = (details: Record<string, unknown>) => new ApiError(402, { code: 'plan_limit', message: '', details }, '');
const platforms = { feature: 'platforms', limit: 1, used: 1, liftedBy: ['plus', 'business'], addOn: null };

beforeEach(() => {
  localStorage.clear();
  currencyChoice().getState().choose('EUR');
  setBillingEnabled(true);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  onClose.mockClear();
});

test('every refusal with 402 is reported, and nothing else', async () => {
  const refusedCodes: string[] = [];
  const stop = onPlanLimit(({ code }) => refusedCodes.push(code));
  stubBillingRequests(({ path }) => ({ status: path === '/a' ? 402 : 409, body: { code: path, message: '' } }));
  for (const path of ['/a', '/b']) await request(path, { method: 'GET' }).catch(() => undefined);
  stop();
  expect(refusedCodes).toEqual(['/a']);
});

test('the dialog shows which limit was reached and what raises it', async () => {
  stubBillingRequests(() => ({ body: freePlan }));
  renderBilling(<LimitDialog error={met(platforms)} onClose={onClose} />);
  const dialog = screen.getByRole('dialog', { name: 'You’ve reached a limit of your plan' });
  expect(dialog.textContent).toContain('Your plan allows 1 connected social platform at a time.');
  expect(dialog.textContent).toContain('Used: 1 of 1');
  expect(dialog.textContent).toContain('Social platforms: 3');
  expect(dialog.textContent).toContain('Social platforms: unlimited');
  expect(dialog.textContent).toContain('€6.00');
  await user.click(within(dialog).getByRole('button', { name: 'Not now' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('payment happens in a second window, and the page continues once it is paid', async () => {
  let paid = false;
  stubBillingRequests(({ method, path }) => {
    const order = createTestOrder({ state: paid ? 'paid' : 'redirected', gateway: 'paypal' });
    if (path === '/api/billing') return { body: freePlan };
    if (path === '/api/payfast/validate') return { body: { ok: false } };
    const payment = { type: 'redirect', url: 'https://paypal.example/approve' };
    return method === 'POST' ? { status: 201, body: { order, payment } } : { body: order };
  });
  const assign = jest.fn();
  const paymentWindow = { opener: window, location: { assign }, close: jest.fn() };
  jest.spyOn(window, 'open').mockReturnValue(paymentWindow as unknown as Window);
  renderBilling(<LimitDialog error={met(platforms)} onClose={onClose} />);
  const upgrade = screen.getByRole<HTMLButtonElement>('button', { name: 'Upgrade to Plus' });
  await waitFor(() => expect(upgrade.disabled).toBe(false));
  await user.click(upgrade);
  await user.click(screen.getByRole('button', { name: 'Pay with PayPal' }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://paypal.example/approve'));
  expect(paymentWindow.opener).toBeNull();
  expect(await screen.findByText('Pay in the window that opened. This one waits for it.')).toBeTruthy();
  paid = true;
  expect(
    await screen.findByText(/You’re on Plus now\. Continue where you were\./, undefined, { timeout: 4_000 }),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a limit reached in the background is shown once', async () => {
  stubBillingRequests(() => ({ body: freePlan }));
  const transcription = { feature: 'transcriptionSeconds', limit: 1_800, used: 1_800, liftedBy: ['plus'], addOn: null };
  renderBilling(<LimitDialog error={met(transcription)} onClose={onClose} />);
  expect(screen.getByRole('dialog').textContent).toContain('30 minutes of transcription a month');
  await user.click(screen.getByRole('button', { name: 'Not now' }));
  cleanup();
  renderBilling(<LimitDialog error={met(transcription)} onClose={onClose} />);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an installation without billing offers nothing', async () => {
  setBillingEnabled(false);
  const seen = stubBillingRequests(() => ({ body: freePlan }));
  renderBilling(<LimitDialog error={met(platforms)} onClose={onClose} />);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(seen).toEqual([]);
});
