import type { AcceptedReply, Route, RouteBodyInput, RouteParams, RouteQueryInput, RouteReply } from '@nolo/api';
import type { QueryKey } from '@tanstack/react-query';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { call } from '../api/httpClient.ts';
import { ApiError } from '../api/request.ts';
import { ProofDeclined, withProof } from '../api/proof.ts';
import { showFailure } from './failures.ts';
import type { ShownFailure } from './failures.ts';

/** Values of one call of a route. */
export interface RouteInput<R extends Route> {
  params?: RouteParams<R>;
  query?: RouteQueryInput<R>;
  body?: RouteBodyInput<R>;
}

export interface ActionOptions<Input, Result> {
  /** Keys of the queries that the action changes. They refetch even if it failed; after a success, `run` waits. */
  invalidates?: readonly QueryKey[];
  /**
   * Title of a failure, whose description explains the error. A limit of the plan has its own dialog and shows nothing.
   * A function returns the whole text, or undefined to show nothing because the caller does.
   */
  failure: string | ((error: unknown, input: Input) => ShownFailure | undefined);
  /** Runs after success, before the queries refetch. */
  onDone?: (result: Result, input: Input) => void;
}

export interface Action<Input, Result> {
  /** Runs the action. Resolves to undefined if it failed or the user declined to give a fresh proof. Never rejects. */
  run: (input: Input) => Promise<{ readonly result: Result } | undefined>;
  /** True while it runs. */
  busy: boolean;
  /** Input of the running action: tells which of several buttons is busy. */
  running: Input | undefined;
}

/** Returns true for a refusal that the plans dialog shows. */
export const isPlanLimit = (error: unknown): boolean => error instanceof ApiError && error.status === 402;

const show = (failure: ShownFailure | undefined): void => {
  if (failure) showFailure(failure);
};

/**
 * An action of the user that changes something on the server: a route, or a function. Knows whether it runs, shows its
 * failure where the user looks (decision 45), asks for a fresh proof if the server demands one (decision 38), and
 * refetches what it changed.
 */
export function useAction<R extends Route>(
  action: R,
  options: ActionOptions<RouteInput<R>, RouteReply<R> | AcceptedReply<R>>,
): Action<RouteInput<R>, RouteReply<R> | AcceptedReply<R>>;
export function useAction<Input = void, Result = unknown>(
  action: (input: Input) => Promise<Result>,
  options: ActionOptions<Input, Result>,
): Action<Input, Result>;
export function useAction(
  action: Route | ((input: never) => Promise<unknown>),
  { invalidates = [], failure, onDone }: ActionOptions<never, never>,
): unknown {
  const explain = useExplainFailure();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (input: never): Promise<unknown> =>
      withProof(() => (typeof action === 'function' ? action(input) : call(action, input))),
    onSuccess: (result, input) => onDone?.(result as never, input),
    onError: (error, input) => {
      if (error instanceof ProofDeclined) return;
      if (typeof failure !== 'string') return show(failure(error, input));
      if (!isPlanLimit(error)) show({ title: failure, description: explain(error) });
    },
    onSettled: (_, error) => {
      const refetched = Promise.all(invalidates.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      // A retry must not wait for refetches that a dead connection holds up.
      return error ? undefined : refetched;
    },
  });
  return {
    run: (input: never) =>
      mutation.mutateAsync(input).then(
        (result) => ({ result }),
        () => undefined,
      ),
    busy: mutation.isPending,
    running: mutation.isPending ? mutation.variables : undefined,
  };
}
