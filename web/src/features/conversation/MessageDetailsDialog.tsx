import type { Conversation, Message } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { useSelf } from '../../app/self.ts';
import { exactTime, useLocale } from '../../i18n/locale.ts';
import { deliveryOf } from '../../state/chatStore.ts';
import { Dialog } from '../../ui/Dialog.tsx';

interface MessageDetailsDialogProps {
  message: Message;
  conversation: Conversation;
  onClose: () => void;
}

/** When a message was sent and changed, and how far it got. Receipts say that, not when. */
export function MessageDetailsDialog({ message, conversation, onClose }: MessageDetailsDialogProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const self = useSelf();
  const own = message.senderId === self.id;
  const state = deliveryOf(message, conversation, self.id);
  const at = (time: string) => exactTime(Date.parse(time), locale);
  const answer = (yes: boolean) => t(yes ? 'conversation.yes' : 'conversation.notYet');
  const rows: [string, string][] = [
    [t(own ? 'conversation.detailSent' : 'conversation.detailReceived'), at(message.createdAt)],
  ];
  if (message.editedAt !== null) rows.push([t('conversation.detailEdited'), at(message.editedAt)]);
  if (own && self.shareReceipts && message.deletedAt === null) {
    rows.push([t('conversation.detailDelivered'), answer(state !== 'sent')]);
    rows.push([t('conversation.detailRead'), answer(state === 'read')]);
  }
  return (
    <Dialog open onOpenChange={onClose} size="small" title={t('conversation.detailsTitle')}>
      <dl className="flex flex-col gap-3 text-14">
        {rows.map(([term, value]) => (
          <div key={term} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-muted">{term}</dt>
            <dd className="tabular text-end">{value}</dd>
          </div>
        ))}
      </dl>
      {own && !self.shareReceipts && <p className="mt-4 text-13 text-muted">{t('conversation.receiptsOff')}</p>}
    </Dialog>
  );
}
