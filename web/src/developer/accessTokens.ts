import { routes, type AccessToken } from '@nolo/api';
import type { TokenScope } from '@nolo/rules';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { call, callPage } from '../api/httpClient.ts';
import { explainFailure } from '../i18n/explainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { useDeveloperWords } from './useDeveloperWords.ts';

const tokensKey = ['accessTokens'];

/** Returns the user's tokens page by page, latest first. */
export function useAccessTokens() {
  return useInfiniteQuery({
    queryKey: tokensKey,
    queryFn: ({ pageParam, signal }) =>
      callPage(routes.listAccessTokens, { query: { ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
}

export interface CreateTokenInput {
  name: string;
  scopes: readonly TokenScope[];
  expiresInDays: number;
}

/**
 * Creates a token. Only the response contains its text. Never retried, because each attempt would create another token.
 */
export async function createTokenAndGetSecret({ name, scopes, expiresInDays }: CreateTokenInput): Promise<string> {
  const body = { name, scopes: [...scopes], expiresInDays };
  const { secret } = await call(routes.createAccessToken, { body });
  return secret;
}

/** Returns the actions on existing tokens. */
export function useAccessTokenActions() {
  const { t, i18n } = useDeveloperWords();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokensKey });
  return {
    refresh,
    /** @returns true if the token was revoked */
    async revoke({ id }: AccessToken): Promise<boolean> {
      try {
        await call(routes.revokeAccessToken, { params: { id } });
        toast({ kind: 'success', title: t('developer.revoked') });
        return true;
      } catch (error) {
        showFailure({ title: t('developer.revokeFailed'), description: explainFailure(i18n, error) });
        return false;
      } finally {
        await refresh();
      }
    },
  };
}
