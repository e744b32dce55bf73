/** @jest-environment jsdom */
import { jest } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { configStore } from '../../session/config.ts';
import { sessionStore } from '../../session/session.ts';
import { toasts } from '../../ui/toasts.ts';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { PhoneSignIn } from './PhoneSignIn.tsx';

const number = '+27825550147';
type Answer = { status: number; body: unknown; retryAfter?: string } | 'offline' | 'never';
let answers: Record<string, Answer[]>;
let requests: { path: string; body: unknown }[];

/** Simulates the server, as far as this page uses it. */
async function fakeFetch(path: string, init?: { body?: string }): Promise<Response> {
  requests.push({ path, body: init?.body === undefined ? undefined : JSON.parse(init.body) });
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
  requests = [];
  globalThis.fetch = fakeFetch as unknown as typeof fetch;
  // jsdom's signals lack the newer constructors.
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

test('an empty number is refused with the words of the specification', async () => {
  const user = userEvent.setup();
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  await user.type(screen.getByLabelText('Phone number'), '   ');
  await user.click(button('Continue'));
  await screen.findByText('Phone number required: Please enter a valid phone number');
  expect(shownToast()).toBeUndefined();
  expect(requests.filter(({ path }) => path.includes('verification'))).toEqual([]);
});

test('a national number is dialled in the country of the locale, or in the chosen one', async () => {
  const user = userEvent.setup();
  answers['/api/verification/send']?.push(codeSent);
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  const field = screen.getByLabelText<HTMLInputElement>('Phone number');
  const country = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Country' });
  // jsdom's language is American English.
  expect(country.value).toBe('US');
  await user.selectOptions(country, 'ZA');
  await user.type(field, '0825550147');
  expect(field.value).toBe('082 555 0147');
  await user.click(button('Continue'));
  await screen.findByText('+27 82 555 0147');
  expect(requests.at(-1)?.body).toEqual({ type: 'sms', phoneNumber: number });
});

test('a calling code selects the country, and an invalid number is refused next to the hint', async () => {
  const user = userEvent.setup();
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  const country = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Country' });
  await user.type(screen.getByLabelText('Phone number'), '+4930');
  expect(country.value).toBe('DE');
  await user.click(button('Continue'));
  await screen.findByText('Please enter a valid phone number');
  expect(screen.getByText('As you’d dial it at home, or with + and the country code.')).toBeTruthy();
  expect(requests.filter(({ path }) => path.includes('verification'))).toEqual([]);
});

test('someone without the number signs in by email, without learning whether the address has an account', async () => {
  const user = userEvent.setup();
  const [send, verify] = ['/api/verification/mail/send', '/api/verification/mail/verify'];
  answers[send] = [{ status: 200, body: { success: true, message: '', validSeconds: 600 } }];
  answers[verify] = [refusal(400, 'code_wrong', 'That code is wrong. 4 tries left.', { triesLeft: 4 })];
  const features = { mailSignIn: true } as never;
  configStore.setState({ config: { demoMode: false, version: '', limits: {}, features } });
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  await user.click(button('Use your email instead'));
  await user.type(screen.getByLabelText('Email address'), 'ada');
  await user.click(button('Continue'));
  await screen.findByText('Please enter a valid email address.');
  await user.type(screen.getByLabelText('Email address'), '@example.org');
  await user.click(button('Continue'));
  await screen.findByText(/If it belongs to an account, a 6-digit code is on its way to/);
  expect(shownToast()).toBeUndefined();
  await user.type(screen.getByLabelText('Verification code'), '123456');
  await screen.findByText(/That code is wrong/);
  expect(requests.filter(({ path }) => path.includes('verification'))).toEqual([
    { path: send, body: { email: 'ada@example.org' } },
    { path: verify, body: { email: 'ada@example.org', code: '123456' } },
  ]);
  await user.click(button('Back'));
  await user.click(button('Use your phone number instead'));
  expect(screen.getByLabelText('Phone number')).toBeTruthy();
});

test('the provider is another way in, if there is one', () => {
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  expect(screen.queryByRole('link', { name: 'Traditional Sign In' })).toBeNull();
  act(() => {
    const features = { providerSignIn: true } as never;
    configStore.setState({ config: { demoMode: false, version: '', limits: {}, features } });
  });
  expect(screen.getByRole('link', { name: 'Traditional Sign In' }).getAttribute('href')).toBe('/api/login');
});

test('shows Sending... while the code is being sent', async () => {
  const user = userEvent.setup();
  answers['/api/verification/send']?.push('never');
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  await user.type(screen.getByLabelText('Phone number'), number);
  await user.click(button('Continue'));
  expect(button('Sending...').getAttribute('aria-busy')).toBe('true');
});

test('a refused send shows the reason, and a failed one asks to try again', async () => {
  const user = userEvent.setup();
  answers['/api/verification/send']?.push(
    { ...(refusal(429, 'code_send_limited', 'Too many.') as object), retryAfter: '120' } as Answer,
    refusal(500, 'internal_error', 'Something broke.'),
    'offline',
  );
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  await user.type(screen.getByLabelText('Phone number'), number);
  await user.click(button('Continue'));
  await screen.findByText('Failed to send code: Too many codes were requested. Try again in 2 minutes.');
  for (let round = 0; round < 2; round += 1) {
    await user.click(button('Continue'));
    await screen.findByText('Error: Failed to send verification code. Please try again.');
  }
  expect(shownToast()).toBeUndefined();
});

test('step 2 shows the number, submits on the sixth digit, and goes back', async () => {
  const user = userEvent.setup();
  await reachCodeStep(user);
  answers['/api/verification/verify']?.push('offline');
  expect(shownToast()?.title).toBe('Code sent successfully');
  expect(screen.getByText('+27 82 555 0147')).toBeTruthy();
  const submit = button('Complete Registration') as HTMLButtonElement;
  const field = screen.getByLabelText<HTMLInputElement>('Verification code');
  await user.type(field, '12345');
  expect(submit.disabled).toBe(true);
  await user.type(field, '678');
  await screen.findByText('Error: Failed to verify code. Please try again.');
  expect(requests.at(-1)?.body).toEqual({ type: 'sms', phoneNumber: number, code: '123456' });
  // A code that was not checked stays, and can be sent again.
  expect(field.value).toBe('123456');
  expect(submit.disabled).toBe(false);
  await user.click(button('Back'));
  expect(screen.getByLabelText<HTMLInputElement>('Phone number').value).toBe('+27 82 555 0147');
});

test('a wrong code shows how many tries are left, and a spent one asks for a new one', async () => {
  const user = userEvent.setup();
  await reachCodeStep(user);
  answers['/api/verification/verify']?.push(
    refusal(400, 'code_wrong', 'No.', { triesLeft: 1 }),
    refusal(400, 'code_exhausted', 'No.', { triesLeft: 0 }),
  );
  await user.type(screen.getByLabelText('Verification code'), '111111');
  await screen.findByText('Verification failed: That code is wrong. 1 try left.');
  await user.type(screen.getByLabelText('Verification code'), '111112');
  await screen.findByText('Verification failed: Too many wrong codes. Request a new one.');
  await user.type(screen.getByLabelText('Verification code'), '111113');
  expect((button('Complete Registration') as HTMLButtonElement).disabled).toBe(true);
});

test('a new code may be requested once the countdown is over', async () => {
  jest.useFakeTimers();
  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  await reachCodeStep(user);
  expect(screen.getByRole('button', { name: 'Send a new code in 0:30' })).toBeTruthy();
  act(() => {
    jest.advanceTimersByTime(31_000);
  });
  answers['/api/verification/send']?.push(codeSent);
  await user.click(button('Send a new code'));
  expect(requests.filter(({ path }) => path === '/api/verification/send')).toHaveLength(2);
  jest.useRealTimers();
});

test('success stores marker and number, never the token', async () => {
  const user = userEvent.setup();
  await reachCodeStep(user);
  const self = { id: 'u', phoneNumber: number };
  answers['/api/verification/verify']?.push({
    status: 200,
    body: { success: true, message: '', token: 'secret-token', user: self, created: true },
  });
  await user.type(screen.getByLabelText('Verification code'), '424242');
  await waitFor(() => expect(shownToast()?.title).toBe('Registration successful'));
  expect(sessionStore.getState()).toMatchObject({ status: 'signedIn', user: self });
  const kept = Object.keys(localStorage).map((key) => [key, localStorage.getItem(key)]);
  expect(Object.fromEntries(kept)).toEqual({ 'nolo.session': '1', 'nolo.phone': number });
  expect(requests.at(-1)?.body).toEqual({ type: 'sms', phoneNumber: number, code: '424242' });
});

test('someone with an account is welcomed back, without mention of a registration', async () => {
  const user = userEvent.setup();
  await reachCodeStep(user);
  const body = { success: true, message: '', token: 't', user: { id: 'u', phoneNumber: number }, created: false };
  answers['/api/verification/verify']?.push({ status: 200, body });
  await user.type(screen.getByLabelText('Verification code'), '424242');
  await waitFor(() => expect(shownToast()?.title).toBe('Welcome back'));
});

test('the link of an email invitation shows a notice, and its token is sent with the code', async () => {
  const user = userEvent.setup();
  history.replaceState(null, '', '/#invitation=a-token');
  configStore.setState({ config: { registration: 'invited', features: {} } as never });
  answers['/api/verification/verify']?.push(refusal(403, 'registration_invited', 'By invitation alone.'));
  await reachCodeStep(user);
  expect(screen.queryByText(/You’re invited/)).toBeNull();
  await user.type(screen.getByLabelText('Verification code'), '424242');
  await screen.findByText(/or the operators need to invite you by email/);
  expect(requests.at(-1)?.body).toMatchObject({ phoneNumber: number, code: '424242', invitation: 'a-token' });
  await user.click(button('Back'));
  screen.getByText(/You’re invited/);
  history.replaceState(null, '', '/');
});

test('the demo code appears only in demo mode', async () => {
  render(<PhoneSignIn onBack={() => {}} />, { wrapper: TestProviders });
  expect(screen.queryByText(/424242/)).toBeNull();
  act(() => {
    configStore.setState({
      config: { demoMode: true, demoCode: '424242', version: '', limits: {}, features: {} as never },
    });
  });
  await screen.findByText(/424242/);
});
