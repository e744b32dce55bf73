/** @jest-environment jsdom */
import { afterEach, expect, jest, test } from '@jest/globals';
import { routes } from '@nolo/api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { proofStore } from '../api/proof.ts';
import { ApiError } from '../api/request.ts';
import { toasts } from './toasts.ts';
import { useAction } from './useAction.ts';

const queryClient = new QueryClient();
const wrapper = ({ children }: { children: ReactNode }) => (
  <TestProviders>
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  </TestProviders>
);
const shownToast = () => toasts.getState().toasts.find(({ open }) => open);

afterEach(() => {
  toasts.getState().dismiss();
});

test('returns the result, and names the input while it runs', async () => {
  let finish: (value: number) => void = () => undefined;
  const { result } = renderHook(
    () => useAction<string, number>(() => new Promise((resolve) => (finish = resolve)), { failure: 'Failed' }),
    { wrapper },
  );
  let outcome: unknown;
  act(() => void result.current.run('one').then((done) => (outcome = done)));
  await waitFor(() => expect(result.current).toMatchObject({ busy: true, running: 'one' }));
  act(() => finish(7));
  await waitFor(() => expect(result.current).toMatchObject({ busy: false, running: undefined }));
  expect(outcome).toEqual({ result: 7 });
  expect(shownToast()).toBeUndefined();
});

test('shows a failure once with its reason, and refetches what may have changed', async () => {
  const refetch = jest.spyOn(queryClient, 'invalidateQueries');
  const { result } = renderHook(
    () =>
      useAction(() => Promise.reject(new ApiError(409, { code: 'x', message: 'Taken.' }, '')), {
        failure: 'Failed',
        invalidates: [['list']],
      }),
    { wrapper },
  );
  await act(async () => expect(await result.current.run()).toBeUndefined());
  expect(shownToast()).toMatchObject({ title: 'Failed', description: 'Taken.' });
  expect(refetch).toHaveBeenCalledWith({ queryKey: ['list'] });
});

test('shows nothing if the caller explains the failure itself', async () => {
  const { result } = renderHook(
    () => useAction(() => Promise.reject(new ApiError(400, {}, '')), { failure: () => undefined }),
    { wrapper },
  );
  await act(async () => expect(await result.current.run()).toBeUndefined());
  expect(shownToast()).toBeUndefined();
});

test('leaves a limit of the plan to its dialog', async () => {
  const refusal = new ApiError(402, { code: 'plan_limit', message: 'Too many.' }, '');
  const { result } = renderHook(() => useAction(() => Promise.reject(refusal), { failure: 'Failed' }), { wrapper });
  await act(async () => expect(await result.current.run()).toBeUndefined());
  expect(shownToast()).toBeUndefined();
});

test('asks for a fresh proof and runs again; shows nothing if the user declines', async () => {
  const action = jest
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new ApiError(403, { code: 'proof_required' }, ''))
    .mockResolvedValueOnce('done')
    .mockRejectedValueOnce(new ApiError(403, { code: 'proof_required' }, ''));
  const { result } = renderHook(() => useAction(action, { failure: 'Failed' }), { wrapper });
  let outcome: unknown;
  act(() => void result.current.run().then((done) => (outcome = done)));
  await waitFor(() => expect(proofStore.getState().answer).not.toBeNull());
  act(() => proofStore.getState().settle(true));
  await waitFor(() => expect(outcome).toEqual({ result: 'done' }));

  act(() => void result.current.run().then((done) => (outcome = done)));
  await waitFor(() => expect(proofStore.getState().answer).not.toBeNull());
  act(() => proofStore.getState().settle(false));
  await waitFor(() => expect(outcome).toBeUndefined());
  expect(shownToast()).toBeUndefined();
});

test('calls a route with its values', async () => {
  const request = jest.fn<typeof fetch>(async () => ({ ok: true, status: 204, headers: new Headers() }) as Response);
  globalThis.fetch = request;
  const { result } = renderHook(() => useAction(routes.cancelJoinRequest, { failure: 'Failed' }), { wrapper });
  const id = '0190a5f4-7d3e-7000-8000-000000000001';
  await act(async () => expect(await result.current.run({ params: { id } })).toEqual({ result: undefined }));
  expect(request).toHaveBeenCalledWith(expect.stringContaining(id), expect.objectContaining({ method: 'DELETE' }));
});
