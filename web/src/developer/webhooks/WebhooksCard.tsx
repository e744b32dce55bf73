import { routes, type Webhook } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, KeyRound, List, Pause, Play, Plus, Send, Trash2, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/httpClient.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { SecretDialog } from '../SecretDialog.tsx';
import { CreateWebhookDialog, webhooksKey } from './CreateWebhookDialog.tsx';
import { deliveriesKey, DeliveriesDialog } from './DeliveriesDialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { webhooksTexts } from './webhooksTexts.ts';

type Shown =
  | { readonly what: 'create' }
  | { readonly what: 'secret'; readonly secret: string }
  | { readonly what: 'deliveries' | 'remove'; readonly webhook: Webhook }
  | null;

/** Lists the webhooks, and creates and manages them. */
export function WebhooksCard() {
  const { t } = useTexts(webhooksTexts);
  const query = useQuery({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => call(routes.listWebhooks, { signal }),
    staleTime: 0,
  });
  const webhooks = query.data;
  const [shown, setShown] = useState<Shown>(null);
  const close = () => setShown(null);
  const options = { invalidates: [webhooksKey], failure: t('webhooks:changeFailed') };
  const update = useAction(routes.updateWebhook, options);
  const remove = useAction(routes.deleteWebhook, options);
  const rotate = useAction(routes.rotateWebhookSecret, {
    ...options,
    onDone: ({ secret }) => setShown({ what: 'secret', secret }),
  });
  const test = useAction(routes.testWebhook, {
    ...options,
    invalidates: [webhooksKey, deliveriesKey],
    onDone: () => toast({ kind: 'success', title: t('webhooks:tested') }),
  });
  const act = (webhook: Webhook, action: WebhookAction) => {
    const params = { id: webhook.id };
    if (action === 'deliveries' || action === 'remove') setShown({ what: action, webhook });
    else if (action === 'test') void test.run({ params });
    else if (action === 'rotate') void rotate.run({ params });
    else void update.run({ params, body: { state: action === 'pause' ? 'paused' : 'active' } });
  };
  const create = (
    <Button icon={<Plus />} onClick={() => setShown({ what: 'create' })}>
      {t('webhooks:create')}
    </Button>
  );
  return (
    <Card
      title={t('webhooks:title')}
      description={t('webhooks:text')}
      action={webhooks !== undefined && webhooks.length > 0 && create}
    >
      {webhooks === undefined ? (
        <QueryPlaceholder query={query} failed={t('webhooks:loadFailed')} loading={t('webhooks:title')} rows={2} />
      ) : webhooks.length === 0 ? (
        <EmptyState
          className="py-8!"
          icon={<WebhookIcon />}
          title={t('webhooks:empty')}
          description={t('webhooks:emptyText')}
          action={create}
        />
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onAction={(action) => act(webhook, action)} />
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
        title={t('webhooks:removeTitle')}
        text={t('webhooks:removeText', { url: shown?.what === 'remove' ? shown.webhook.url : '' })}
        confirmLabel={t('webhooks:remove')}
        onConfirm={async () => {
          if (shown?.what === 'remove' && (await remove.run({ params: { id: shown.webhook.id } }))) close();
        }}
      />
    </Card>
  );
}

type WebhookAction = 'deliveries' | 'test' | 'pause' | 'resume' | 'rotate' | 'remove';

const tones = { active: 'accent', paused: 'neutral', disabled: 'danger' } as const;

/** Webhook with its URL, events, state, and last delivery. */
function WebhookRow({ webhook, onAction }: { webhook: Webhook; onAction: (action: WebhookAction) => void }) {
  const { t } = useTexts(webhooksTexts);
  const { url, events, state, reason, lastDelivery: last } = webhook;
  const isActive = state === 'active';
  return (
    <li className="flex items-start gap-3 py-3 first:pt-1 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          <bdi dir="ltr" className="min-w-0 break-all">
            {url}
          </bdi>
          <Badge tone={tones[state]}>{t(`webhooks:states.${state}`)}</Badge>
        </p>
        <p dir="ltr" className="mt-1 flex flex-wrap gap-1 rtl:justify-end">
          {events.map((type) => (
            <code key={type} className="rounded-control bg-sunken px-1.5 py-0.5 text-12 text-muted">
              {type}
            </code>
          ))}
        </p>
        {reason !== null && reason !== 'owner' && (
          <p className="mt-1.5 text-13 text-danger-text">{t(`webhooks:reasons.${reason}`)}</p>
        )}
        <p className="mt-1.5 text-13 text-muted">
          {last === null
            ? t('webhooks:neverDelivered')
            : t('webhooks:lastDelivery', { type: last.type, state: t(`webhooks:list.${last.state}`) })}
        </p>
      </div>
      <DropdownMenu trigger={<IconButton plain label={t('webhooks:menu', { url })} icon={<Ellipsis />} />}>
        <MenuItem icon={<List />} onSelect={() => onAction('deliveries')}>
          {t('webhooks:deliveries')}
        </MenuItem>
        {isActive && (
          <MenuItem icon={<Send className="rtl:-scale-x-100" />} onSelect={() => onAction('test')}>
            {t('webhooks:test')}
          </MenuItem>
        )}
        <MenuItem icon={isActive ? <Pause /> : <Play />} onSelect={() => onAction(isActive ? 'pause' : 'resume')}>
          {t(isActive ? 'webhooks:pause' : 'webhooks:resume')}
        </MenuItem>
        <MenuItem icon={<KeyRound />} onSelect={() => onAction('rotate')}>
          {t('webhooks:rotate')}
        </MenuItem>
        <MenuItem danger icon={<Trash2 />} onSelect={() => onAction('remove')}>
          {t('webhooks:remove')}
        </MenuItem>
      </DropdownMenu>
    </li>
  );
}
