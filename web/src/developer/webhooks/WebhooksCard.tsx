import type { Webhook } from '@nolo/api';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { SecretDialog } from '../SecretDialog.tsx';
import { CreateWebhookDialog } from './CreateWebhookDialog.tsx';
import { DeliveriesDialog } from './DeliveriesDialog.tsx';
import { useWebhookWords } from './useWebhookWords.ts';
import { WebhookRow, type WebhookAction } from './WebhookRow.tsx';
import { useWebhookActions, useWebhooks } from './webhooks.ts';

type Shown =
  | { readonly what: 'create' }
  | { readonly what: 'secret'; readonly secret: string }
  | { readonly what: 'deliveries' | 'remove'; readonly webhook: Webhook }
  | null;

/** Lists the webhooks, and creates and manages them. */
export function WebhooksCard() {
  const { t } = useWebhookWords();
  const { data: webhooks, isError, isFetching, refetch } = useWebhooks();
  const { rotate, setState, remove, test } = useWebhookActions();
  const [shown, setShown] = useState<Shown>(null);
  const close = () => setShown(null);
  const act = async (webhook: Webhook, webhookAction: WebhookAction) => {
    if (webhookAction === 'deliveries' || webhookAction === 'remove') setShown({ what: webhookAction, webhook });
    else if (webhookAction === 'test') await test(webhook);
    else if (webhookAction === 'pause' || webhookAction === 'resume')
      await setState(webhook, webhookAction === 'pause' ? 'paused' : 'active');
    else {
      const secret = await rotate(webhook);
      if (secret !== undefined) setShown({ what: 'secret', secret });
    }
  };
  const create = (
    <Button icon={<Plus />} onClick={() => setShown({ what: 'create' })}>
      {t('webhooks.create')}
    </Button>
  );
  return (
    <Card
      title={t('webhooks.title')}
      description={t('webhooks.text')}
      action={webhooks !== undefined && webhooks.length > 0 && create}
    >
      {isError && !webhooks ? (
        <ErrorState
          className="py-4!"
          title={t('webhooks.loadFailed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : webhooks === undefined ? (
        <SkeletonRows rows={2} label={t('webhooks.title')} />
      ) : webhooks.length === 0 ? (
        <EmptyState
          className="py-8!"
          icon={<WebhookIcon />}
          title={t('webhooks.empty')}
          description={t('webhooks.emptyText')}
          action={create}
        />
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onAction={(webhookAction) => void act(webhook, webhookAction)}
            />
          ))}
        </ul>
      )}
      {shown?.what === 'create' && (
        <CreateWebhookDialog onClose={close} onMade={(secret) => setShown({ what: 'secret', secret })} />
      )}
      {shown?.what === 'secret' && <SecretDialog secret={shown.secret} words="webhooks" onClose={close} />}
      {shown?.what === 'deliveries' && <DeliveriesDialog webhook={shown.webhook} onClose={close} />}
      <ConfirmDialog
        open={shown?.what === 'remove'}
        onCancel={close}
        title={t('webhooks.removeTitle')}
        text={t('webhooks.removeText', { url: shown?.what === 'remove' ? shown.webhook.url : '' })}
        confirmLabel={t('webhooks.remove')}
        onConfirm={async () => {
          if (shown?.what === 'remove' && (await remove(shown.webhook))) close();
        }}
      />
    </Card>
  );
}
