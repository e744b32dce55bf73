/** @jest-environment jsdom */
import type { Billing, Order } from '@nolo/api';
import { jest } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { currencyChoice } from './model/currencyChoice.ts';
import { BillingScreens } from './BillingScreens.tsx';
import { PlanBadge, ProfileBilling } from './ProfileBilling.tsx';
import { toasts } from '../ui/toasts.ts';
import type { BillingRequest } from '../testing/testBilling.tsx';
import {
  freePlan,
  createTestOrder,
  plusPlan,
  setBillingEnabled,
  stubBillingRequests,
  renderBilling,
} from '../testing/testBilling.tsx';

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const orderId = createTestOrder().id;

let billing: Billing;
let orders: Order[];
/** State of the order at the next query. */
let state: Order['state'];
let begun: { status?: number; body: unknown };
let seen: BillingRequest[];

beforeEach(() => {
  localStorage.clear();
  currencyChoice().getState().choose('ZAR');
  setBillingEnabled(true);
  billing = freePlan;
  orders = [];
  state = 'redirected';
  seen = stubBillingRequests(({ method, path }) => {
    if (path === '/api/billing') return { body: billing };
    if (path === '/api/storage') return { body: { used: 0, limit: 2_147_483_648 } };
    if (path === '/api/billing/orders') return method === 'POST' ? begun : { body: orders };
    if (path === '/api/billing/cancel') return { body: { ...billing, status: 'ending' } };
    if (path === '/api/billing/resume') return { body: { ...billing, status: 'active' } };
    if (path === '/api/payfast/validate') return { body: { ok: false } };
    if (path === `/api/billing/orders/${orderId}`) return { body: createTestOrder({ state }) };
    if (path === `/api/billing/orders/${orderId}/cancel`) return { body: createTestOrder({ state }) };
    return undefined;
  });
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
  toasts.setState({ toasts: [] });
});

const requestsTo = (method: string, path: string) => seen.filter((one) => one.method === method && one.path === path);
const getLatestToast = () => toasts.getState().toasts.at(0);

describe('the plans in the profile', () => {
  test('show four features each, and the rest on request; planned ones are labelled', async () => {
    renderBilling(<ProfileBilling />);
    const business = await screen.findByRole('listitem', { name: 'Business' });
    expect(within(business).queryByText('Planned')).toBeNull();
    await user.click(within(business).getByRole('button', { name: /^\+\d+ more features$/ }));
    expect(within(business).getByText('CRM integrations', { exact: false })).toBeTruthy();
    expect(within(business).getAllByText('Planned')).toHaveLength(5);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Current Plan' }).disabled).toBe(true);
  });

  test('are priced in the selected currency', async () => {
    renderBilling(<ProfileBilling />);
    expect((await screen.findByRole('listitem', { name: 'Plus' })).textContent).toContain('129.00');
    act(() => currencyChoice().getState().choose('GBP'));
    expect(screen.getByRole('listitem', { name: 'Plus' }).textContent).toContain('£5.00');
  });

  test('are cancelled at the end of the paid period, and can be kept after all', async () => {
    billing = plusPlan;
    renderBilling(<ProfileBilling />);
    await user.click(await screen.findByRole('button', { name: 'Downgrade to Free' }));
    const question = screen.getByRole('alertdialog');
    expect(question.textContent).toContain('December');
    billing = { ...plusPlan, status: 'ending' };
    await user.click(within(question).getByRole('button', { name: 'Cancel plan' }));
    expect(requestsTo('POST', '/api/billing/cancel')).toHaveLength(1);
    await user.click(await screen.findByRole('button', { name: 'Keep Plus' }));
    expect(await screen.findByText(/You won’t be charged automatically/)).toBeTruthy();
  });

  test('name the plan next to the person’s name', async () => {
    billing = plusPlan;
    renderBilling(<PlanBadge />);
    expect(await screen.findByText('Plus')).toBeTruthy();
  });

  test('list payments with their receipts', async () => {
    orders = [createTestOrder({ item: 'business', seats: 3, refundedMinor: 100 })];
    renderBilling(<ProfileBilling />);
    expect(await screen.findByText('Business, 3 seats')).toBeTruthy();
    expect(screen.getByText(/1\.00 refunded/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Download receipt 2026-000001 as PDF' })).toBeTruthy();
  });
});

describe('paying', () => {
  async function openBusiness(): Promise<HTMLElement> {
    renderBilling(<ProfileBilling />);
    await user.click(await screen.findByRole('button', { name: 'Upgrade to Business' }));
    return screen.getByRole('dialog', { name: 'Upgrade to Business' });
  }

  test('posts the PayFast form unchanged, for the chosen number of seats', async () => {
    const fields = [
      { name: 'merchant_id', value: '10000100' },
      { name: 'item_name', value: 'Nolo Business & more' },
    ];
    begun = {
      status: 201,
      body: {
        order: createTestOrder({ state: 'redirected' }),
        payment: { type: 'form', action: 'https://payfast.example/eng/process', fields },
      },
    };
    const posted: string[] = [];
    jest.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function submit(this: HTMLFormElement) {
      posted.push(
        this.method,
        this.action,
        ...[...this.querySelectorAll('input')].map(({ name, value }) => `${name}=${value}`),
      );
    });
    const dialog = await openBusiness();
    const seats = within(dialog).getByLabelText('Number of seats');
    await user.clear(seats);
    await user.type(seats, '3');
    expect(dialog.textContent).toContain('837.00');
    expect(dialog.textContent).toContain('Cancel any time');
    expect(dialog.textContent).toContain('Prices include taxes');
    await user.click(within(dialog).getByRole('button', { name: 'Pay with PayFast' }));
    await waitFor(() => expect(posted.length).toBeGreaterThan(0));
    expect(posted).toEqual([
      'post',
      'https://payfast.example/eng/process',
      'merchant_id=10000100',
      'item_name=Nolo Business & more',
    ]);
    const [order] = requestsTo('POST', '/api/billing/orders');
    expect(order?.body).toMatchObject({ item: 'business', seats: 3, currency: 'ZAR', amountMinor: 83_700 });
  });

  test('renews the current plan in its grace period', async () => {
    billing = { ...plusPlan, status: 'grace', graceEndsAt: '2026-12-27T10:00:00Z' };
    begun = { status: 201, body: { order: createTestOrder(), payment: null } };
    renderBilling(<ProfileBilling />);
    expect(await screen.findByText(/Your paid period is over/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Pay for the next 30 days' }));
    const dialog = screen.getByRole('dialog', { name: 'Pay for Plus' });
    expect(dialog.textContent).toContain('129.00');
    await user.click(within(dialog).getByRole('button', { name: 'Pay with PayFast' }));
    await waitFor(() => expect(requestsTo('POST', '/api/billing/orders')).toHaveLength(1));
    expect(requestsTo('POST', '/api/billing/orders').at(0)?.body).toMatchObject({
      item: 'plus',
      currency: 'ZAR',
      amountMinor: 12_900,
    });
  });

  test('shows the settlement in dollars before the person leaves', async () => {
    currencyChoice().getState().choose('KES');
    const dialog = await openBusiness();
    expect(dialog.textContent).toContain('PayPal doesn’t accept KES. You’ll be charged');
    expect(dialog.textContent).toMatch(/15\.00 in US dollars/);
    expect(within(dialog).getByRole('button', { name: 'Pay with PayPal' })).toBeTruthy();
  });

  test('requests nothing with no seats', async () => {
    const dialog = await openBusiness();
    await user.clear(within(dialog).getByLabelText('Number of seats'));
    await user.click(within(dialog).getByRole('button', { name: 'Pay with PayFast' }));
    expect(within(dialog).getByText('Please enter a number from 1 to 500.')).toBeTruthy();
    expect(requestsTo('POST', '/api/billing/orders')).toEqual([]);
  });

  test.each([
    ['ZAR', 'payment_unavailable', 503, 'Failed to initiate payment. Please try again.'],
    ['USD', 'payment_unavailable', 503, 'Failed to create PayPal order'],
    ['USD', 'currency_unsupported', 400, 'Unsupported currency'],
    ['ZAR', 'amount_mismatch', 409, 'The price has changed. Please check it again.'],
  ] as const)('reports in %s that it failed with %s', async (currency, code, status, words) => {
    currencyChoice().getState().choose(currency);
    begun = { status, body: { code, message: 'inside' } };
    const dialog = await openBusiness();
    await user.click(within(dialog).getByRole('button', { name: /^Pay with/ }));
    expect((await within(dialog).findByRole('alert')).textContent).toBe(`Payment Error${words}`);
    expect(getLatestToast()).toBeUndefined();
    expect(within(dialog).getByRole('button', { name: /^Pay with/ })).toBeTruthy();
  });

  test('shows the price from the server if the credit has changed', async () => {
    billing = { ...plusPlan, credit: { amountMinor: 9_030, currency: 'ZAR' } };
    begun = { status: 409, body: { code: 'amount_mismatch', message: '', details: { creditMinor: 8_600 } } };
    const dialog = await openBusiness();
    expect(dialog.textContent).toContain('188.70');
    await user.click(within(dialog).getByRole('button', { name: 'Pay with PayFast' }));
    await waitFor(() => expect(dialog.textContent).toContain('193.00'));
    await user.click(within(dialog).getByRole('button', { name: 'Pay with PayFast' }));
    await waitFor(() => expect(requestsTo('POST', '/api/billing/orders')).toHaveLength(2));
    expect(requestsTo('POST', '/api/billing/orders').at(1)?.body).toMatchObject({ amountMinor: 19_300 });
  });

  test('retries a lost answer with the same order', async () => {
    begun = { status: 503, body: { code: 'payment_unavailable', message: '' } };
    const dialog = await openBusiness();
    for (const times of [1, 2]) {
      await user.click(within(dialog).getByRole('button', { name: /^Pay with/ }));
      await waitFor(() => expect(requestsTo('POST', '/api/billing/orders')).toHaveLength(times));
    }
    const ids = requestsTo('POST', '/api/billing/orders').map(({ body }) => (body as { id: string }).id);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('returning from the gateway', () => {
  test('waits for the order to be paid, whatever the URL contains', async () => {
    renderBilling(<BillingScreens />, `/payment/success?order=${orderId}`);
    expect(await screen.findByText('Waiting for your payment')).toBeTruthy();
    state = 'paid';
    expect(await screen.findByText('You’re on Plus now.', undefined, { timeout: 4_000 })).toBeTruthy();
    const toPlan = screen.getByRole('link', { name: 'Go to your plan' });
    expect(toPlan.getAttribute('href')).toBe('/settings/plan');
  });

  test('offers a way on if it takes longer', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'performance'] });
    renderBilling(<BillingScreens />, `/payment/success?order=${orderId}`);
    await act(() => jest.advanceTimersByTimeAsync(31_000));
    expect(screen.getByText('This is taking longer than usual')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to your plan' })).toBeTruthy();
    const before = requestsTo('POST', '/api/payfast/validate').length;
    await act(async () => screen.getByRole('button', { name: 'Ask PayFast now' }).click());
    expect(requestsTo('POST', '/api/payfast/validate')).toHaveLength(before + 1);
    jest.useRealTimers();
  });

  test('reports an unknown order and stops asking', async () => {
    renderBilling(<BillingScreens />, '/payment/success?order=another');
    expect(await screen.findByText('Order not found')).toBeTruthy();
  });

  test('cancels the order and offers it again', async () => {
    state = 'cancelled';
    renderBilling(<BillingScreens />, `/payment/cancel?order=${orderId}`);
    expect(await screen.findByText('You weren’t charged.')).toBeTruthy();
    expect(requestsTo('POST', `/api/billing/orders/${orderId}/cancel`)).toHaveLength(1);
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(screen.getByRole('dialog', { name: 'Upgrade to Plus' })).toBeTruthy();
  });

  test('reports that a cancelled order was paid after all', async () => {
    state = 'paid';
    renderBilling(<BillingScreens />, `/payment/cancel?order=${orderId}`);
    expect(await screen.findByText('You’re on Plus now.')).toBeTruthy();
  });
});

test('shows no page while billing is disabled', async () => {
  setBillingEnabled(false);
  renderBilling(<BillingScreens />, `/payment/success?order=${orderId}`);
  expect(await screen.findByText('404 Page Not Found')).toBeTruthy();
  expect(seen).toEqual([]);
});
