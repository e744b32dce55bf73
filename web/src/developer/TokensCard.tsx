import { routes, type AccessToken } from '@nolo/api';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../api/usePages.ts';
import { getDateFormat } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { formatTimeSince } from '../i18n/relativeTime.ts';
import { useNow } from '../shell/useNow.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { PagedRows } from '../ui/PagedRows.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { accessTokensKey, CreateTokenDialog } from './CreateTokenDialog.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { developerTexts } from './developerTexts.ts';

/** Lists the tokens, and creates and revokes them. */
export function TokensCard() {
  const { t } = useTexts(developerTexts);
  const list = usePages(routes.listAccessTokens, { queryKey: accessTokensKey });
  const revoke = useAction(routes.revokeAccessToken, {
    invalidates: [accessTokensKey],
    failure: t('developer:revokeFailed'),
    onDone: () => toast({ kind: 'success', title: t('developer:revoked') }),
  });
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<AccessToken | null>(null);
  const hasTokens = list.data?.pages.some((page) => page.items.length > 0) === true;
  const create = (
    <Button icon={<Plus />} onClick={() => setCreating(true)}>
      {t('developer:create')}
    </Button>
  );
  return (
    <Card title={t('developer:tokens')} description={t('developer:tokensText')} action={hasTokens && create}>
      <PagedRows
        list={list}
        words={{ failed: t('developer:loadFailed'), loading: t('developer:tokens'), more: t('developer:more') }}
        empty={
          <EmptyState
            className="py-8!"
            icon={<KeyRound />}
            title={t('developer:empty')}
            description={t('developer:emptyText')}
            action={create}
          />
        }
        className="flex flex-col divide-y divide-line"
        placeholder={{ rows: 2 }}
        moreButton={{ size: 'small', className: 'mt-3' }}
      >
        {(token) => <TokenRow key={token.id} token={token} onRevoke={() => setDoomed(token)} />}
      </PagedRows>
      {creating && (
        <CreateTokenDialog
          onClose={() => setCreating(false)}
          onMade={(made) => {
            setCreating(false);
            setSecret(made);
          }}
        />
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
      <ConfirmDialog
        open={doomed !== null}
        onCancel={() => setDoomed(null)}
        title={t('developer:revokeTitle', { name: doomed?.name ?? '' })}
        text={t('developer:revokeText')}
        confirmLabel={t('developer:revokeConfirm')}
        onConfirm={async () => {
          if (doomed !== null && (await revoke.run({ params: { id: doomed.id } }))) setDoomed(null);
        }}
      />
    </Card>
  );
}

/** Token with its name, scopes, creation, last use, and expiry. */
function TokenRow({ token, onRevoke }: { token: AccessToken; onRevoke: () => void }) {
  const { t } = useTexts(developerTexts);
  const locale = useLocale();
  const now = useNow();
  const date = (at: string) => getDateFormat(locale, { dateStyle: 'medium' }).format(Date.parse(at));
  const isOver = Date.parse(token.expiresAt) <= now;
  const used =
    token.lastUsedAt === null
      ? t('developer:neverUsed')
      : t('developer:used', { time: formatTimeSince(Date.parse(token.lastUsedAt), now, t, 'inSentence') });
  return (
    <li className="flex items-start gap-3 py-3 first:pt-1 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          <bdi className="min-w-0 break-words">{token.name}</bdi>
          {isOver && <Badge>{t('developer:expired')}</Badge>}
        </p>
        <p dir="ltr" className="mt-1 flex flex-wrap gap-1 rtl:justify-end">
          {token.scopes.map((scope) => (
            <code key={scope} className="rounded-control bg-sunken px-1.5 py-0.5 text-12 text-muted">
              {scope}
            </code>
          ))}
        </p>
        <p className="mt-1.5 text-13 text-muted">
          {[
            t('developer:created', { date: date(token.createdAt) }),
            used,
            t(isOver ? 'developer:expiredOn' : 'developer:expires', { date: date(token.expiresAt) }),
          ].join(' · ')}
        </p>
      </div>
      <IconButton label={t('developer:revoke', { name: token.name })} icon={<Trash2 />} onClick={onRevoke} />
    </li>
  );
}
