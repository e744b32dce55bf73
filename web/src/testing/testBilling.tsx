import type { Billing, Order } from '@nolo/api';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { createQueryClient } from '../session/queryClient.ts';
import { configStore } from '../session/config.ts';
import { featureStore } from '../session/features.ts';
import { TestProviders } from './TestProviders.tsx';

/** Plan of a user who pays nothing. */
export const freePlan: Billing = {
  plan: 'free',
  status: 'none',
  source: 'none',
  periodEndsAt: null,
  graceEndsAt: null,
  nextPlan: null,
  seats: null,
  addOns: [],
  limits: [],
  month: '2026-11',
  monthEndsAt: null,
  credit: null,
  currencies: [],
  seatOffered: false,
  operator: false,
};

export const plusPlan: Billing = {
  ...freePlan,
  plan: 'plus',
  status: 'active',
  source: 'own',
  periodEndsAt: '2026-12-20T10:00:00Z',
};

export const createTestOrder = (overrides: Partial<Order> = {}): Order => ({
  id: '0190a5f4-7d3e-7000-8000-000000000001',
  item: 'plus',
  seats: 1,
  state: 'paid',
  gateway: 'payfast',
  amountMinor: 12_900,
  currency: 'ZAR',
  creditMinor: 0,
  shownCurrency: 'ZAR',
  refundedMinor: 0,
  createdAt: '2026-11-20T10:00:00Z',
  paidAt: '2026-11-20T10:01:00Z',
  receiptNumber: '2026-000001',
  reason: null,
  ...overrides,
});

export interface BillingRequest {
  method: string;
  path: string;
  body: unknown;
}

interface Answer {
  status?: number;
  body: unknown;
}

/** Answers the room's requests to the server. Unknown ones get "not found". */
export function stubBillingRequests(answer: (request: BillingRequest) => Answer | undefined): BillingRequest[] {
  const seen: BillingRequest[] = [];
  globalThis.fetch = (async (address: string, init: RequestInit = {}) => {
    const [path = ''] = address.split('?');
    const request = {
      method: init.method ?? 'GET',
      path,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    };
    seen.push(request);
    const { status = 200, body } = answer(request) ?? { status: 404, body: { code: 'order_not_found', message: '' } };
    return {
      ok: status < 400,
      status,
      statusText: '',
      headers: new Headers(),
      json: async () => body,
      text: async () => JSON.stringify(body),
    } as Response;
  }) as typeof fetch;
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
  return seen;
}

/** Turns billing on or off in the test. */
export function setBillingEnabled(billing: boolean): void {
  const features = { billing, social: true, transcription: false } as never;
  configStore.setState({ config: { demoMode: false, version: '', limits: {}, features } });
  featureStore.getState().setFeatures(features);
}

export function renderBilling(children: ReactNode, address = '/profile'): void {
  render(
    <MemoryRouter initialEntries={[address]}>
      <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
    </MemoryRouter>,
    { wrapper: TestProviders },
  );
}
