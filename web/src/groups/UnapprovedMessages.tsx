import { routes } from '@nolo/api';
import type { StoredMessage } from '@nolo/client/chat/rowOpening';
import { decideHeldMessage } from '@nolo/client/chat/sealedDecisions';
import { wasSealed } from '@nolo/client/chat/sealedRows';
import { mediaOfMessage } from '@nolo/client/chat/shownMedia';
import { Check, Undo2, X } from 'lucide-react';
import { call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { ReplyQuote } from '../chat/conversation/ReplyQuote.tsx';
import { FileBody } from '../chat/media/FileBody.tsx';
import { LazyRowRunLine } from '../chat/sealed/LazySealedRows.tsx';
import { VoiceBody } from '../chat/voice/VoiceBody.tsx';
import { MessageRowTextsContext, useCreateMessageRowTexts } from '../chat/words/messageRowTexts.ts';
import { rowNoteOf } from '../chat/words/rowNotes.ts';
import { formatClockTime, formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { useTexts } from '../i18n/texts.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { Skeleton, SkeletonRows } from '../ui/Skeleton.tsx';
import { groupsTexts } from './groupsTexts.ts';
import { DecisionCard, type DecisionsProps } from './PendingDecisions.tsx';
import { useGroupAction } from './useGroupAction.ts';
import { useOpenedDrafts, type Draft } from './useOpenedDrafts.ts';

interface UnapprovedMessagesProps extends DecisionsProps {
  /** False for authors, who see what waits. */
  mayDecide: boolean;
}

/** Messages of new members that are pending approval by an admin (decision 16). */
export function UnapprovedMessages({ id, count, mayDecide }: UnapprovedMessagesProps) {
  const { t } = useTexts(groupsTexts);
  return (
    <DecisionCard
      title={t(mayDecide ? 'groups:held.title' : 'groups:held.ownTitle')}
      count={count}
      loading={<SkeletonRows rows={Math.min(count, 2)} label={t('groups:held.loading')} />}
      failed={t('groups:held.failed')}
      empty={t('groups:held.empty')}
      listClassName="max-h-96 divide-y divide-line"
      query={useOpenedDrafts(id)}
      keyOf={({ listed }) => listed.id}
      row={(draft) => <DraftRow {...draft} mayDecide={mayDecide} />}
    />
  );
}

function DraftRow({ listed, row, mayDecide }: Draft & { mayDecide: boolean }) {
  const { t } = useTexts(groupsTexts);
  const locale = useLocale();
  const name = listed.sender?.displayName ?? t('chats.deletedAccount');
  const at = Date.parse(listed.createdAt);
  const isReadable = row !== undefined && rowNoteOf(row) === null;
  return (
    <div className="px-4 py-3">
      <p className="flex items-center gap-2 text-13 text-muted">
        <Avatar name={name} imageUrl={listed.sender?.profileImageUrl} size={24} />
        <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start font-medium text-ink">
          {name}
        </span>
        <time dateTime={listed.createdAt} title={formatExactTime(at, locale)} className="tabular">
          {formatClockTime(at, locale)}
        </time>
      </p>
      <div className="mt-1.5">
        {row === undefined ? (
          <div role="status" aria-label={t('groups:held.loading')} className="py-1">
            <Skeleton className="h-3.5 w-3/5" />
          </div>
        ) : (
          <DraftContent row={row} />
        )}
      </div>
      {mayDecide ? (
        <Decision listed={listed} name={name} isReadable={isReadable} />
      ) : (
        <Withdrawal listed={listed} time={formatClockTime(at, locale)} />
      )}
    </div>
  );
}

/** Content of a draft, or the reason why it is not shown. */
function DraftContent({ row }: { row: StoredMessage }) {
  const texts = useCreateMessageRowTexts();
  const note = rowNoteOf(row);
  const entry = { key: row.id, senderId: row.senderId, at: Date.parse(row.createdAt), message: row, pending: null };
  if (note !== null) return <LazyRowRunLine run={{ note, entries: [entry] }} onUnfold={() => {}} />;
  const media = mediaOfMessage(row);
  const still = media && (media.kind === 'image' ? media.url : media.previewUrl);
  const Body = media?.kind === 'audio' || media?.kind === 'voice' ? VoiceBody : FileBody;
  return (
    <div className="flex flex-col gap-1.5">
      {row.replyTo && (
        <MessageRowTextsContext value={texts}>
          <ReplyQuote conversationId={row.conversationId} replyTo={row.replyTo} isLinked={false} />
        </MessageRowTextsContext>
      )}
      {typeof still === 'string' && (
        <img
          src={`${still}?size=320`}
          alt=""
          decoding="async"
          className="max-h-40 max-w-full self-start rounded-card bg-sunken"
        />
      )}
      {media && (
        <MessageRowTextsContext value={texts}>
          <Body entry={entry} media={media} conversationId={row.conversationId} own={false} />
        </MessageRowTextsContext>
      )}
      {/* Plain text, so that links in messages pending approval cannot be pressed. */}
      {row.content !== '' && (
        <p dir="auto" className="line-clamp-6 text-ui-start text-14 wrap-anywhere whitespace-pre-wrap">
          {row.content}
        </p>
      )}
    </div>
  );
}

type DecisionProps = Pick<Draft, 'listed'> & { name: string; isReadable: boolean };

/** Buttons of an admin. Nobody approves what they cannot read. */
function Decision({ listed, name, isReadable }: DecisionProps) {
  const { t } = useTexts(groupsTexts);
  const { engine } = useChat();
  const { conversationId: id, id: heldId } = listed;
  const { run, busy, running } = useGroupAction(
    id,
    async (approve: boolean) => {
      // The approval of a sealed message is a message that this device seals.
      if (approve && wasSealed(listed)) await decideHeldMessage(engine, listed, true);
      else await call(routes.decideHeldMessage, { params: { id, heldId }, body: { approve } });
    },
    {
      failure: t('groups:held.decideFailed'),
      done: (_, approve) => t(approve ? 'groups:held.approved' : 'groups:held.declined'),
    },
  );
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {isReadable && (
        <Button
          size="small"
          icon={<Check aria-hidden="true" />}
          busy={running === true}
          aria-label={t('groups:held.approveNamed', { name })}
          onClick={() => busy || void run(true)}
        >
          {t('groups:held.approve')}
        </Button>
      )}
      <Button
        kind="secondary"
        size="small"
        icon={<X aria-hidden="true" />}
        busy={running === false}
        aria-label={t('groups:held.declineNamed', { name })}
        onClick={() => busy || void run(false)}
      >
        {t('groups:held.decline')}
      </Button>
    </div>
  );
}

/** Button of the author. */
function Withdrawal({ listed, time }: Pick<Draft, 'listed'> & { time: string }) {
  const { t } = useTexts(groupsTexts);
  const { conversationId: id, id: heldId } = listed;
  const { run, busy } = useGroupAction(id, () => call(routes.withdrawHeldMessage, { params: { id, heldId } }), {
    failure: t('groups:held.withdrawFailed'),
    done: () => t('groups:held.withdrawn'),
  });
  return (
    <Button
      kind="secondary"
      size="small"
      className="mt-2"
      icon={<Undo2 aria-hidden="true" />}
      busy={busy}
      aria-label={t('groups:held.withdrawNamed', { time })}
      onClick={() => busy || void run()}
    >
      {t('groups:held.withdraw')}
    </Button>
  );
}
