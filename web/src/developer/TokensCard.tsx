import type { AccessToken } from '@nolo/api';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { useAccessTokens, useAccessTokenActions } from './accessTokens.ts';
import { CreateTokenDialog } from './CreateTokenDialog.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { TokenRow } from './TokenRow.tsx';
import { useDeveloperWords } from './useDeveloperWords.ts';

/** Lists the tokens, and creates and revokes them. */
export function TokensCard() {
  const { t } = useDeveloperWords();
  const { data, isError, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useAccessTokens();
  const { refresh, revoke } = useAccessTokenActions();
  const [creating, setCreating] = useState(false);
  /** Secret of the new token, while its dialog is open. */
  const [secret, setSecret] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<AccessToken | null>(null);
  const tokens = data?.pages.flatMap((page) => page.items);
  const create = (
    <Button icon={<Plus />} onClick={() => setCreating(true)}>
      {t('developer.create')}
    </Button>
  );
  return (
    <Card
      title={t('developer.tokens')}
      description={t('developer.tokensText')}
      action={tokens !== undefined && tokens.length > 0 && create}
    >
      {isError && !tokens ? (
        <ErrorState
          className="py-4!"
          title={t('developer.loadFailed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : tokens === undefined ? (
        <SkeletonRows rows={2} label={t('developer.tokens')} />
      ) : tokens.length === 0 ? (
        <EmptyState
          className="py-8!"
          icon={<KeyRound />}
          title={t('developer.empty')}
          description={t('developer.emptyText')}
          action={create}
        />
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setDoomed(token)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          kind="secondary"
          size="small"
          className="mt-3"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('developer.more')}
        </Button>
      )}
      {creating && (
        <CreateTokenDialog
          onClose={() => setCreating(false)}
          onMade={(made) => {
            setCreating(false);
            setSecret(made);
            void refresh();
          }}
        />
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
      <ConfirmDialog
        open={doomed !== null}
        onCancel={() => setDoomed(null)}
        title={t('developer.revokeTitle', { name: doomed?.name ?? '' })}
        text={t('developer.revokeText')}
        confirmLabel={t('developer.revokeConfirm')}
        onConfirm={async () => {
          if (doomed !== null && (await revoke(doomed))) setDoomed(null);
        }}
      />
    </Card>
  );
}
