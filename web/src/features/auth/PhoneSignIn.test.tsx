/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { configStore } from '../../state/config.ts';
import { sessionStore } from '../../state/session.ts';
import { toasts } from '../../state/toasts.ts';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { PhoneSignIn } from './PhoneSignIn.tsx';

const number = '+27825550147';
type Answer = { status: number; body: unknown; retryAfter?: string } | 'offline' | 'never';
let answers: Record<string, Answer[]>;
let asked: { path: string; body: unknown }[];

/** The server, as far as this page asks it. */
async function fakeFetch(path: string, init?: { body?: string }): Promise<Response> {
  asked.push({ path, body: init?.body === undefined ? undefined : JSON.parse(init.body) });
  const answer = answers[path]?.shift() ?? 'offline';
  if (answer === 'never') return new Promise(() => {});
  if (answer === 'offline') throw new TypeError('Failed to fetch');
  return {
    ok: answer.status < 300,
    status: answer.status,
    statusText: '',
    headers: new Headers(answer.retryAfter === undefined ? {} : { 'Retry-After': answer.retryAfter }),
    text: async () => JSON.stringify(answer.body),
    json: async () => answer.body,
  } as unknown as Response;
}

const codeSent: Answer = { status: 200, body: { success: true, message: '', phoneNumber: number, validSeconds: 600 } };
const refusal = (status: number, code: string, message: string, details = {}): Answer => ({
  status,
  body: { code, message, details },
});

beforeEach(() => {
  answers = { '/api/verification/send': [], '/api/verification/verify': [] };
  asked = [];
  globalThis.fetch = fakeFetch as unknown as typeof fetch;
  // jsdom's signals lack the newer ways of making one.
  AbortSignal.timeout ??= () => new AbortController().signal;
  AbortSignal.any ??= () => new AbortController().signal;
  localStorage.clear();
  toasts.setState({ toasts: [] });
  configStore.setState({ config: null });
  sessionStore.setState({ status: 'signedOut', user: null });
});
afterEach(cleanup);

const shownToast = () => toasts.getState().toasts[0];
const button = (name: string) => screen.getByRole('button', { name });

async function reachCodeStep(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  answers['/api/verification/send']?.push(codeSent);
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  await user.type(screen.getByLabelText('Phone number'), number);
  await user.click(button('Continue'));
  await screen.findByLabelText('Verification code');
}

test('an empty number is refused in the words of the specification', async () => {
  const user = userEvent.setup();
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  await user.type(screen.getByLabelText('Phone number'), '   ');
  await user.click(button('Continue'));
  expect(shownToast()).toMatchObject({
    title: 'Phone number required',
    description: 'Please enter a valid phone number',
  });
  expect(asked.filter(({ path }) => path.includes('verification'))).toEqual([]);
});

test('says Sending... while the code is being sent', async () => {
  const user = userEvent.setup();
  answers['/api/verification/send']?.push('never');
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  await user.type(screen.getByLabelText('Phone number'), number);
  await user.click(button('Continue'));
  expect(button('Sending...').getAttribute('aria-busy')).toBe('true');
});

test('a refused send shows the reason, a failed one asks to try again', async () => {
  const user = userEvent.setup();
  answers['/api/verification/send']?.push(
    { ...(refusal(429, 'code_send_limited', 'Too many.') as object), retryAfter: '120' } as Answer,
    refusal(500, 'internal_error', 'Something broke.'),
    'offline',
  );
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  await user.type(screen.getByLabelText('Phone number'), number);
  await user.click(button('Continue'));
  expect(shownToast()).toMatchObject({
    title: 'Failed to send code',
    description: 'Too many codes were requested. Try again in 2 minutes.',
  });
  for (let round = 0; round < 2; round += 1) {
    await user.click(button('Continue'));
    expect(shownToast()).toMatchObject({
      title: 'Error',
      description: 'Failed to send verification code. Please try again.',
    });
  }
});

test('step 2 names the number, takes six digits, and goes back', async () => {
  const user = userEvent.setup();
  await reachCodeStep(user);
  expect(shownToast()?.title).toBe('Code sent successfully');
  expect(screen.getByText(number)).toBeTruthy();
  const submit = button('Complete Registration') as HTMLButtonElement;
  const field = screen.getByLabelText<HTMLInputElement>('Verification code');
  await user.type(field, '12345');
  expect(submit.disabled).toBe(true);
  await user.type(field, '678');
  expect(field.value).toBe('123456');
  expect(submit.disabled).toBe(false);
  await user.click(button('Back'));
  expect(screen.getByLabelText<HTMLInputElement>('Phone number').value).toBe(number);
});

test('a wrong code tells how many tries are left, a spent one asks for a new one', async () => {
  const user = userEvent.setup();
  await reachCodeStep(user);
  answers['/api/verification/verify']?.push(
    refusal(400, 'code_wrong', 'No.', { triesLeft: 1 }),
    refusal(400, 'code_exhausted', 'No.', { triesLeft: 0 }),
  );
  await user.type(screen.getByLabelText('Verification code'), '111111{Enter}');
  expect(shownToast()).toMatchObject({
    title: 'Verification failed',
    description: 'That code is not right. 1 try left.',
  });
  await user.type(screen.getByLabelText('Verification code'), '111112{Enter}');
  expect(screen.getByText('That code was tried too often. Ask for a new one.')).toBeTruthy();
  await user.type(screen.getByLabelText('Verification code'), '111113');
  expect((button('Complete Registration') as HTMLButtonElement).disabled).toBe(true);
});

test('a new code may be asked for once the countdown is over', async () => {
  jest.useFakeTimers();
  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  await reachCodeStep(user);
  expect(screen.getByRole('button', { name: 'Send a new code in 0:30' })).toBeTruthy();
  act(() => {
    jest.advanceTimersByTime(31_000);
  });
  answers['/api/verification/send']?.push(codeSent);
  await user.click(button('Send a new code'));
  expect(asked.filter(({ path }) => path === '/api/verification/send')).toHaveLength(2);
  jest.useRealTimers();
});

test('success keeps marker and number, never the token', async () => {
  const user = userEvent.setup();
  await reachCodeStep(user);
  const self = { id: 'u', phoneNumber: number };
  answers['/api/verification/verify']?.push({
    status: 200,
    body: { success: true, message: '', token: 'secret-token', user: self },
  });
  await user.type(screen.getByLabelText('Verification code'), '424242');
  await user.click(button('Complete Registration'));
  expect(shownToast()?.title).toBe('Registration successful');
  expect(sessionStore.getState()).toMatchObject({ status: 'signedIn', user: self });
  const kept = Object.keys(localStorage).map((key) => [key, localStorage.getItem(key)]);
  expect(Object.fromEntries(kept)).toEqual({ 'nolo.session': '1', 'nolo.phone': number });
  expect(asked.at(-1)?.body).toEqual({ type: 'sms', phoneNumber: number, code: '424242' });
});

test('the demo code shows in demo mode only', () => {
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  expect(screen.queryByText(/424242/)).toBeNull();
  act(() => {
    configStore.setState({
      config: { demoMode: true, demoCode: '424242', version: '', limits: {}, features: {} as never },
    });
  });
  expect(screen.getByText(/424242/)).toBeTruthy();
});
