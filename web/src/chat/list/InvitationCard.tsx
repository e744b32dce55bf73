import { routes, type GroupInvitation, type Message } from '@nolo/api';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { formatExactTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useAction } from '../../ui/useAction.ts';
import { groupKeys } from '../context/groupQueries.ts';
import { isLookAlikeName } from '../words/text/lookAlikes.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { requestsTexts } from '../words/requestsTexts.ts';

const ReportDialog = lazyDialog(async () => (await import('../conversation/ReportDialog.tsx')).ReportDialog);
const noMessages: readonly Message[] = [];

/** Invitation to a group: its name, who invites, and the actions. */
export function InvitationCard({ invitation }: { invitation: GroupInvitation }) {
  const { t } = useTexts(conversationTexts, requestsTexts);
  const locale = useLocale();
  const navigate = useNavigate();
  const [openDialog, setOpenDialog] = useState<'block' | 'report' | null>(null);
  const { id, name, memberCount, inviter, invitedBy, invitedAt } = invitation;
  const who = inviter?.displayName ?? t('chats.deletedAccount');
  // The requests refetch after any outcome.
  const invalidates = [groupKeys.all];
  const accepting = useAction(routes.acceptGroupInvitation, { invalidates, failure: t('requests:group.acceptFailed') });
  const accept = async () => {
    if (await accepting.run({ params: { id } })) void navigate(`/group-chat/${id}`);
  };
  const declining = useAction(routes.declineGroupInvitation, {
    invalidates,
    failure: t('requests:group.declineFailed'),
  });
  const blocking = useAction(routes.blockUser, { invalidates, failure: t('conversation:blockFailed') });
  const block = async () => {
    if (await blocking.run({ params: { id: invitedBy } })) setOpenDialog(null);
  };
  return (
    <article aria-label={name} className="rounded-card border border-line bg-raised p-3">
      <div className="flex items-start gap-3">
        <Avatar name={name} size={40} />
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="text-ui-start text-15 font-medium wrap-anywhere">
            {name}
          </h3>
          <p
            dir="auto"
            className="mt-0.5 text-ui-start text-13 text-muted wrap-anywhere"
            title={formatExactTime(Date.parse(invitedAt), locale)}
          >
            {t('requests:group.text', { name: who, count: memberCount })}
          </p>
          {inviter !== null && isLookAlikeName(who) && (
            <p className="mt-1 text-13 text-warning-text">{t('conversation:nameLooksLikeAnother')}</p>
          )}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" busy={accepting.busy} onClick={() => void accept()}>
          {t('requests:accept')}
        </Button>
        <Button
          size="small"
          kind="secondary"
          busy={declining.busy}
          onClick={() => void declining.run({ params: { id } })}
        >
          {t('requests:group.decline')}
        </Button>
        {inviter !== null && (
          <Button size="small" kind="quiet" onClick={() => setOpenDialog('block')}>
            {t('requests:group.block', { name: who })}
          </Button>
        )}
        <Button size="small" kind="quiet" onClick={() => setOpenDialog('report')}>
          {t('conversation:report')}
        </Button>
      </div>
      {openDialog === 'report' && (
        <ReportDialog
          kind="group"
          targetId={id}
          name={name}
          messages={noMessages}
          onBlock={inviter === null ? undefined : block}
          blockedName={who}
          onClose={() => setOpenDialog(null)}
        />
      )}
      <ConfirmDialog
        open={openDialog === 'block'}
        onCancel={() => setOpenDialog(null)}
        title={t('conversation:blockTitle', { name: who })}
        text={t('conversation:blockText')}
        confirmLabel={t('conversation:block')}
        onConfirm={block}
      />
    </article>
  );
}
