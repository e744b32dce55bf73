import type { RouteBodyInput, RouteReply } from '@nolo/api';
import { routes } from '@nolo/api';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { withProof } from '../api/proof.ts';
import { call, callPage } from '../api/httpClient.ts';
import { adminQueryKey, useActionRunner } from './adminQueries.ts';

const invitationsKey = [...adminQueryKey, 'mail invitations'];

/** Lists pending email invitations, latest first, page by page. */
export function useMailInvitations() {
  return useInfiniteQuery({
    queryKey: invitationsKey,
    queryFn: ({ pageParam, signal }) =>
      withProof(() =>
        callPage(routes.listMailInvitations, { query: { ...(pageParam && { cursor: pageParam }) }, signal }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

/** Email invitation actions; each shows its own error. */
export function useMailInvitationActions() {
  const attempt = useActionRunner();
  const queryClient = useQueryClient();
  const attemptAndRefresh = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    const done = await attempt(action);
    await queryClient.invalidateQueries({ queryKey: invitationsKey });
    return done;
  };
  return {
    /** @returns who is invited now and who has an account; undefined if it failed */
    invite: (
      body: RouteBodyInput<typeof routes.inviteByMail>,
    ): Promise<RouteReply<typeof routes.inviteByMail> | undefined> =>
      attemptAndRefresh(() => call(routes.inviteByMail, { body })),
    /** @returns true if it was done */
    withdraw: async (id: string): Promise<boolean> =>
      (await attemptAndRefresh(async () => {
        await call(routes.withdrawMailInvitation, { params: { id } });
        return true;
      })) ?? false,
  };
}
