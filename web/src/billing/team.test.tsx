/** @jest-environment jsdom */
import type { Seat, Self, Team } from '@nolo/api';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStore } from '../session/session.ts';
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
import { BillingScreens } from './BillingScreens.tsx';

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
const ada = '0190a5f4-7d3e-7000-8000-00000000000a';
const ben = '0190a5f4-7d3e-7000-8000-00000000000b';

const seat = (
  userId: string,
  name: string,
  state: Seat['state'],
  usage: Seat['usage'] = null,
  sessions: Seat['sessions'] = null,
): Seat => ({
  userId,
  user: { id: userId, displayName: name, profileImageUrl: null } as Seat['user'],
  state,
  since: '2026-11-20T10:00:00Z',
  usage,
  sessions,
});
const used = { storageBytes: 2 ** 30, transcriptionSeconds: 90, scheduledPosts: 4 };

let team: Team | null;
let operator: boolean;
let seen: BillingRequest[];

beforeEach(() => {
  setBillingEnabled(true);
  operator = false;
  sessionStore.setState({ user: { id: ada, displayName: 'Ada Adams' } as Self });
  seen = stubBillingRequests(({ path }) => {
    if (path === '/api/billing') return { body: { ...freePlan, operator } };
    if (path === '/api/billing/team') {
      return team === null ? { status: 404, body: { code: 'team_not_found', message: '' } } : { body: team };
    }
    if (path.startsWith('/api/billing/team/seats')) return { status: 204, body: team };
    if (path === '/api/admin/billing/orders') {
      return { body: [{ ...createTestOrder({ refundedMinor: 2_900 }), userId: ben, leftovers: [] }] };
    }
    if (path === '/api/admin/billing/subscriptions') return { body: [{ userId: ben, subscription: plusPlan }] };
    return path.startsWith('/api/admin') ? { body: {} } : undefined;
  });
});
afterEach(() => {
  cleanup();
  sessionStore.setState({ user: null });
  toasts.setState({ toasts: [] });
});

const requestsTo = (method: string) => seen.filter((one) => one.method === method);
const getToastTitle = () => toasts.getState().toasts.at(0)?.title;

test('someone without a team sees what a team is', async () => {
  team = null;
  renderBilling(<BillingScreens />, '/team');
  // The first screen and its texts must be compiled, which takes a busy machine a while.
  expect(await screen.findByText('You aren’t in a team', undefined, { timeout: 20_000 })).toBeTruthy();
});

test('the buyer sees how much of each seat is used, and takes one back after confirming', async () => {
  const cem = '0190a5f4-7d3e-7000-8000-00000000000c';
  const members = [
    seat(ada, 'Ada Adams', 'owner', used, { devices: 2, lastUsedOn: '2026-11-25' }),
    seat(ben, 'Ben Botha', 'member', used, { devices: 0, lastUsedOn: null }),
    seat(cem, 'Cem Can', 'invited'),
  ];
  team = { ownerId: ada, seats: 5, members, periodEndsAt: null };
  renderBilling(<BillingScreens />, '/team');
  expect(await screen.findByText('Ada Adams (you)')).toBeTruthy();
  expect(screen.getByRole('meter', { name: 'Seats' }).getAttribute('aria-valuetext')).toBe('3 of 5');
  expect(screen.getByText(/^Signed in on 2 devices, last used .*25/)).toBeTruthy();
  expect(screen.getAllByText(/signed in/i)).toHaveLength(2);
  expect(screen.getAllByText('1 GB · 2 min transcribed · 4 posts')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Ada Adams’s seat' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Ben Botha’s seat' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Take seat back' }));
  const question = await screen.findByRole('alertdialog', { name: 'Take back Ben Botha’s seat?' });
  await user.click(within(question).getByRole('button', { name: 'Take seat back' }));
  await waitFor(() => expect(getToastTitle()).toBe('Seat taken back'));
  expect(requestsTo('DELETE').map(({ path }) => path)).toEqual([`/api/billing/team/seats/${ben}`]);
});

test('inviting is disabled while no seat is free', async () => {
  team = { ownerId: ada, seats: 1, members: [seat(ada, 'Ada Adams', 'owner')], periodEndsAt: null };
  renderBilling(<BillingScreens />, '/team');
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Invite' })).disabled).toBe(true);
});

test('an invited person accepts the seat, and sees only the presence of others', async () => {
  const members = [seat(ben, 'Ben Botha', 'owner'), seat(ada, 'Ada Adams', 'invited')];
  team = { ownerId: ben, seats: 2, members, periodEndsAt: null };
  renderBilling(<BillingScreens />, '/team');
  expect(await screen.findByText('Ben Botha invites you to their team')).toBeTruthy();
  expect(screen.queryByText(/transcribed/)).toBeNull();
  expect(screen.getByText(/how many devices you’re signed in on/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(getToastTitle()).toBe('You joined the team'));
  expect(requestsTo('POST').map(({ path }) => path)).toEqual([`/api/billing/team/seats/${ben}/accept`]);
});

test('someone who is not an operator sees nothing of the installation’s billing', async () => {
  renderBilling(<BillingScreens />, '/admin/billing');
  expect(await screen.findByText('For operators only')).toBeTruthy();
  expect(screen.getByText(ada)).toBeTruthy();
  expect(seen.some(({ path }) => path.startsWith('/api/admin'))).toBe(false);
});

test('an operator refunds no more than is left of an order, and gives a reason', async () => {
  operator = true;
  renderBilling(<BillingScreens />, '/admin/billing');
  await user.click(await screen.findByRole('button', { name: /^Refund order/ }));
  const dialog = screen.getByRole('alertdialog', { name: 'Refund payment' });
  const amount = within(dialog).getByLabelText<HTMLInputElement>('Amount in ZAR');
  expect(amount.value).toBe('100.00');
  await user.clear(amount);
  await user.type(amount, '100.01');
  await user.click(within(dialog).getByRole('button', { name: 'Refund' }));
  expect(within(dialog).getByText(/^Please enter an amount up to/)).toBeTruthy();
  expect(within(dialog).getByText('Please give a reason.')).toBeTruthy();
  await user.clear(amount);
  await user.type(amount, '12.50');
  await user.type(within(dialog).getByLabelText('Reason'), 'Bought twice');
  await user.click(within(dialog).getByRole('button', { name: 'Refund' }));
  await waitFor(() => expect(getToastTitle()).toBe('Refund started'));
  expect(requestsTo('POST').at(-1)?.body).toMatchObject({ amountMinor: 1_250, reason: 'Bought twice' });
});

test('an operator gives an account a plan for some days', async () => {
  operator = true;
  renderBilling(<BillingScreens />, '/admin/billing');
  await user.click(await screen.findByText('Subscriptions'));
  await user.click(await screen.findByRole('button', { name: `Grant a plan to ${ben}` }));
  const dialog = screen.getByRole('dialog', { name: 'Grant a plan' });
  const days = within(dialog).getByLabelText('Days');
  await user.clear(days);
  await user.type(days, '90');
  await user.type(within(dialog).getByLabelText('Reason'), 'Helped us test');
  await user.click(within(dialog).getByRole('button', { name: 'Grant a plan' }));
  await waitFor(() => expect(getToastTitle()).toBe('Plan granted'));
  const { path, body } = requestsTo('POST').at(-1) ?? {};
  expect(path).toBe(`/api/admin/billing/users/${ben}/plan`);
  expect(body).toMatchObject({ plan: 'plus', days: 90, reason: 'Helped us test' });
});
