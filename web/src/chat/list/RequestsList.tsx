import type { Conversation, GroupInvitation } from '@nolo/api';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { useLocale } from '../../i18n/locale.ts';
import { useNow } from '../../shell/useNow.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { classNames } from '../../ui/classNames.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { conversationName, conversationPath } from '../words/conversationName.ts';
import { formatConversationTime } from '../words/formatConversationTime.ts';
import { toMessagePreview } from '../words/messagePreview.ts';
import { usePeopleNames } from '../words/peopleNames.ts';
import { InvitationCard } from './InvitationCard.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { callTexts } from '../words/callTexts.ts';
import { groupTexts } from '../words/groupTexts.ts';
import { requestsTexts } from '../words/requestsTexts.ts';

export interface RequestsListProps {
  rows: readonly Conversation[];
  invitations: readonly GroupInvitation[];
  onBack: () => void;
}

/** Lists strangers' messages and group invitations. Their pictures are not requested. */
export function RequestsList({ rows, invitations, onBack }: RequestsListProps) {
  const { t } = useTexts(requestsTexts);
  return (
    <>
      <div className="flex items-center gap-1 px-2 pb-1">
        <IconButton label={t('requests:back')} icon={<ArrowLeft className="rtl:-scale-x-100" />} onClick={onBack} />
        <div className="min-w-0">
          <h2 className="truncate text-16 font-semibold">{t('requests:title')}</h2>
          <p className="text-13 text-muted">{t('requests:hint')}</p>
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto pb-2">
        <ul aria-label={t('requests:title')}>
          {invitations.map((invitation) => (
            <li key={invitation.id} className="px-2 py-1">
              <InvitationCard invitation={invitation} />
            </li>
          ))}
          {rows.map((row) => (
            <li key={row.id} className="px-2 py-px">
              <RequestRow conversation={row} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function RequestRow({ conversation }: { conversation: Conversation }) {
  const { t } = useTexts(callTexts, groupTexts);
  const { id: openId } = useParams();
  const locale = useLocale();
  const now = useNow();
  const names = usePeopleNames();
  const { id, lastMessage } = conversation;
  const name = conversationName(conversation, t);
  const current = id === openId;
  const time = lastMessage && formatConversationTime(Date.parse(lastMessage.createdAt), now, locale);
  return (
    <Link
      to={conversationPath(conversation)}
      data-conversation={id}
      aria-current={current ? 'page' : undefined}
      className={classNames(
        'flex h-(--nolo-row) min-w-0 items-center gap-3 rounded-card px-2.5 outline-offset-[-2px]',
        current ? 'bg-accent-subtle' : 'hover:bg-hover active:bg-pressed',
      )}
    >
      <Avatar name={name} size={48} className="nolo-row-picture" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-15 font-medium">
            {name}
          </span>
          {lastMessage && time && (
            <time dateTime={lastMessage.createdAt} title={time.exact} className="tabular shrink-0 text-12 text-muted">
              {time.text}
            </time>
          )}
        </span>
        <span dir="auto" className="mt-0.5 block truncate text-ui-start text-14 text-muted">
          {toMessagePreview(lastMessage, t, names, false).text}
        </span>
      </span>
    </Link>
  );
}
