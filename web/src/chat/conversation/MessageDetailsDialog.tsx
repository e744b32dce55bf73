import type { Conversation, Member, Message } from '@nolo/api';
import { useState, type ReactNode } from 'react';
import { useChatState } from '../context/chatContext.ts';
import { useSelf } from '../../session/self.ts';
import { formatExactTime } from '../../i18n/dates.ts';
import { listOfNames, useLocale } from '../../i18n/locale.ts';
import { deliveryOf } from '@nolo/client/chat/chatStore';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useGroupMembers } from '../context/groupScreenQueries.ts';
import { groupReactions } from './reactionGroups.ts';
import { useDisplayNameOf } from '../words/useDisplayNameOf.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

const namesAtOnce = 50;

/** Time when a message was sent and changed, and whom it reached. Receipts show who, but not when. */
export function MessageDetailsDialog(props: { message: Message; conversation: Conversation; onClose: () => void }) {
  const { message: opened, conversation, onClose } = props;
  const { t } = useTexts(conversationTexts, messagesTexts);
  const locale = useLocale();
  const self = useSelf();
  // The message may change while the dialog is open.
  const message = useChatState(
    (state) => state.timelines[conversation.id]?.messages.find(({ id }) => id === opened.id) ?? opened,
  );
  const own = message.senderId === self.id;
  const shared = own && self.shareReceipts && message.deletedAt === null;
  const at = (time: string) => formatExactTime(Date.parse(time), locale);
  const rows: [string, string][] = [
    [t(own ? 'conversation:detailSent' : 'conversation:detailReceived'), at(message.createdAt)],
  ];
  if (message.editedAt !== null) rows.push([t('conversation:detailEdited'), at(message.editedAt)]);
  if (message.forwarded) rows.push([t('messages:details.forwarded'), t('messages:details.yes')]);
  if (message.expiresAt !== null && message.deletedAt === null) {
    rows.push([t('messages:details.disappears'), at(message.expiresAt)]);
  }
  if (shared && conversation.type === 'direct') {
    const state = deliveryOf(message, conversation, self.id);
    const answer = (yes: boolean) => t(yes ? 'conversation:yes' : 'conversation:notYet');
    rows.push([t('conversation:detailDelivered'), answer(state !== 'sent')]);
    rows.push([t('conversation:detailRead'), answer(state === 'read')]);
  }
  return (
    <Dialog open onOpenChange={onClose} size="small" title={t('conversation:detailsTitle')}>
      <dl className="flex flex-col gap-3 text-14">
        {rows.map(([term, value]) => (
          <div key={term} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-muted">{term}</dt>
            <dd className="tabular text-end">{value}</dd>
          </div>
        ))}
      </dl>
      {shared && conversation.type === 'group' && <Receipts message={message} conversation={conversation} />}
      {message.reactions.length > 0 && <ReactionList message={message} selfId={self.id} />}
      {own && !self.shareReceipts && <p className="mt-4 text-13 text-muted">{t('conversation:receiptsOff')}</p>}
    </Dialog>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4">
      <h3 className="text-13 font-semibold text-muted">{title}</h3>
      {children}
    </section>
  );
}

/** Users who read it, and others whom it reached. Users who share no receipts are in neither list. */
function Receipts({ message, conversation }: { message: Message; conversation: Conversation }) {
  const { t } = useTexts(messagesTexts);
  const { members, failed } = useGroupMembers(conversation.id);
  // The rows contain the latest receipts of the members that they list.
  const known = new Map<string, Member>(conversation.members.map((member) => [member.userId, member]));
  const others = (members ?? conversation.members)
    .map((member) => {
      const live = known.get(member.userId);
      return {
        userId: member.userId,
        leftAt: member.leftAt,
        readSeq: Math.max(member.readSeq, live?.readSeq ?? 0),
        deliveredSeq: Math.max(member.deliveredSeq, live?.deliveredSeq ?? 0),
      };
    })
    .filter(({ userId, leftAt }) => leftAt === null && userId !== message.senderId);
  const read = others.filter(({ readSeq }) => readSeq >= message.seq);
  const delivered = others.filter(({ readSeq, deliveredSeq }) => readSeq < message.seq && deliveredSeq >= message.seq);
  return (
    <>
      <Section title={t('messages:details.readBy')}>
        <People people={read} />
      </Section>
      <Section title={t('messages:details.deliveredTo')}>
        <People people={delivered} />
      </Section>
      <p className="mt-3 text-13 text-muted">
        {failed ? t('messages:details.membersFailed') : t('messages:details.notShared')}
      </p>
    </>
  );
}

/** List of names, extended by a fixed number on request, because large groups have more than anyone reads. */
function People({ people }: { people: readonly { userId: string }[] }) {
  const { t } = useTexts(messagesTexts);
  const nameOf = useDisplayNameOf();
  const [shownCount, setShownCount] = useState(namesAtOnce);
  if (people.length === 0) return <p className="mt-1 text-14 text-muted">{t('messages:details.nobodyYet')}</p>;
  return (
    <>
      <ul className="mt-1 flex flex-col gap-1 text-14">
        {people.slice(0, shownCount).map(({ userId }) => (
          <li key={userId} dir="auto" className="truncate text-ui-start">
            {nameOf(userId)}
          </li>
        ))}
      </ul>
      {people.length > shownCount && (
        <div className="flex justify-center pt-1">
          <Button kind="quiet" size="small" onClick={() => setShownCount(shownCount + namesAtOnce)}>
            {t('messages:details.showMore')}
          </Button>
        </div>
      )}
    </>
  );
}

function ReactionList({ message, selfId }: { message: Message; selfId: string }) {
  const { t } = useTexts(messagesTexts);
  const locale = useLocale();
  const nameOf = useDisplayNameOf();
  return (
    <Section title={t('messages:reactions')}>
      <ul className="mt-1 flex flex-col gap-1 text-14">
        {groupReactions(message.reactions, selfId).map(({ emoji, userIds }) => (
          <li key={emoji} className="flex items-baseline gap-2">
            <span className="overflow-hidden text-16">{emoji}</span>
            <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              {listOfNames(locale, userIds.map(nameOf))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
