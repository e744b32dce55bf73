import type { Webhook } from '@nolo/api';
import { Ellipsis, KeyRound, List, Pause, Play, Send, Trash2 } from 'lucide-react';
import { Badge } from '../../ui/Badge.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { useWebhookWords } from './useWebhookWords.ts';

export type WebhookAction = 'deliveries' | 'test' | 'pause' | 'resume' | 'rotate' | 'remove';

const tones = { active: 'accent', paused: 'neutral', disabled: 'danger' } as const;

/** Webhook with its URL, events, state, and last delivery. */
export function WebhookRow({
  webhook,
  onAction,
}: {
  webhook: Webhook;
  onAction: (webhookAction: WebhookAction) => void;
}) {
  const { t } = useWebhookWords();
  const { url, events, state, reason, lastDelivery: last } = webhook;
  const isActive = state === 'active';
  return (
    <li className="flex items-start gap-3 py-3 first:pt-1 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          <bdi dir="ltr" className="min-w-0 break-all">
            {url}
          </bdi>
          <Badge tone={tones[state]}>{t(`webhooks.states.${state}`)}</Badge>
        </p>
        <p dir="ltr" className="mt-1 flex flex-wrap gap-1 rtl:justify-end">
          {events.map((type) => (
            <code key={type} className="rounded-control bg-sunken px-1.5 py-0.5 text-12 text-muted">
              {type}
            </code>
          ))}
        </p>
        {reason !== null && reason !== 'owner' && (
          <p className="mt-1.5 text-13 text-danger-text">{t(`webhooks.reasons.${reason}`)}</p>
        )}
        <p className="mt-1.5 text-13 text-muted">
          {last === null
            ? t('webhooks.neverDelivered')
            : t('webhooks.lastDelivery', { type: last.type, state: t(`webhooks.list.${last.state}`) })}
        </p>
      </div>
      <DropdownMenu trigger={<IconButton plain label={t('webhooks.menu', { url })} icon={<Ellipsis />} />}>
        <MenuItem icon={<List />} onSelect={() => onAction('deliveries')}>
          {t('webhooks.deliveries')}
        </MenuItem>
        {isActive && (
          <MenuItem icon={<Send className="rtl:-scale-x-100" />} onSelect={() => onAction('test')}>
            {t('webhooks.test')}
          </MenuItem>
        )}
        <MenuItem icon={isActive ? <Pause /> : <Play />} onSelect={() => onAction(isActive ? 'pause' : 'resume')}>
          {t(isActive ? 'webhooks.pause' : 'webhooks.resume')}
        </MenuItem>
        <MenuItem icon={<KeyRound />} onSelect={() => onAction('rotate')}>
          {t('webhooks.rotate')}
        </MenuItem>
        <MenuItem danger icon={<Trash2 />} onSelect={() => onAction('remove')}>
          {t('webhooks.remove')}
        </MenuItem>
      </DropdownMenu>
    </li>
  );
}
